#include "json/scan.hpp"
#include "weir/json/decode.hpp"
#include "weir/json/encode.hpp"
#include "weir/payload/block.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define WEIR_FUZZ_AGAINST_NLOHMANN 1
#endif

// Any bytes as a document: into a value of any shape and into a struct with a member of every kind, by both
// kernels, which must agree; against a second library, which must agree too but for a byte order mark and
// zero bytes; and what is taken must come back the same after it has been written.

namespace {

using namespace weir::json;

struct any
    : std::variant<std::monostate, bool, double, std::string, std::vector<any>, std::map<std::string, any>> {
    using variant::variant;
};
enum class color { red, green };
struct inner {
    int n;
    std::string text;
};
struct everything {
    std::uint8_t small;
    std::int64_t large;
    double ratio;
    float less;
    bool flag;
    std::string text;
    std::string_view view;
    std::optional<std::string> maybe;
    std::vector<inner> list;
    std::array<int, 2> fixed;
    std::pair<int, std::string> pair;
    std::map<int, double> numbers;
    std::variant<std::monostate, int, double, std::string, inner> choice;
    color shade;
    std::chrono::milliseconds wait;
    std::chrono::sys_time<std::chrono::microseconds> at;
    std::unique_ptr<inner> owned;
};

void require(bool good) {
    if (!good) std::abort();
}

struct padded {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
    explicit padded(std::string_view text)
        : bytes(new char[text.size() + weir::block::tail]()), size(text.size()) {
        if (!text.empty()) std::memcpy(bytes.get(), text.data(), text.size());
    }
};

/// The text that the value is written as, or nothing.
template <class Kernel, class T>
std::optional<std::string> through(std::string_view text, const options& rules) {
    const padded from{text};
    T value{};
    scratch unescaped;
    decode_failure failure;
    if (!decode_with<Kernel>(from.bytes.get(), from.size, value, unescaped, failure, rules)) {
        require(failure.why != reason::none && failure.offset <= text.size() && !failure.text().empty());
        return std::nullopt;
    }
    weir::output out;
    encode_with<Kernel>(out, value);
    return std::string{out.text()};
}

template <class T> std::optional<std::string> check(std::string_view text, const options& rules) {
    const auto portable = through<portable_kernel, T>(text, rules);
#if defined(__SSE2__)
    require((through<sse2_kernel, T>(text, rules)) == portable);
#endif
    if (portable) require((through<default_kernel, T>(*portable, rules)) == portable);
    return portable;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    constexpr options lenient{
        .duplicate = duplicate_members::last_wins, .missing = missing_members::keep_default, .depth = 200};
    [[maybe_unused]] const auto written = check<any>(text, lenient);
    check<everything>(text, lenient);
    check<everything>(text, {.unknown = unknown_members::refuse});
#if defined(WEIR_FUZZ_AGAINST_NLOHMANN)
    if (!text.starts_with("\xef\xbb\xbf") && text.find('\0') == text.npos &&
        std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '{'; }) < 200) {
        const auto theirs = nlohmann::json::parse(text, nullptr, false);
        require(theirs.is_discarded() == !written);
        // Numbers are compared as what they are in our text, for integers have other limits there.
        if (written) require(nlohmann::json::parse(*written).size() == theirs.size());
    }
#endif
    return 0;
}
