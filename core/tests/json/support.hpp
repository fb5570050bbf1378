#pragma once
#include "json/scan.hpp"
#include "weir/json/decode.hpp"
#include "weir/json/encode.hpp"
#include "weir/payload/block.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace weir::json::test {

/// Every kernel that this machine has; tests of the decoder and the encoder run with each.
#if defined(__SSE2__)
using kernels = ::testing::Types<portable_kernel, sse2_kernel>;
#else
using kernels = ::testing::Types<portable_kernel>;
#endif

/// A message of one member, with which whatever else stands in a document is skipped.
struct wanted {
    int n;
};

/// A document in memory of exactly its size and the zeros that payload blocks have, so that sanitizers see
/// every byte that is read beyond.
class document {
public:
    explicit document(std::string_view text)
        : size_(text.size()), bytes_(new char[text.size() + block::tail]()) {
        if (!text.empty()) std::memcpy(bytes_.get(), text.data(), text.size());
    }
    const char* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    std::string_view text() const { return {bytes_.get(), size_}; }

private:
    std::size_t size_;
    std::unique_ptr<char[]> bytes_;
};

/// One decoding, with all that its value may point into.
template <class T> struct reading {
    document from;
    json::scratch unescaped{};
    decode_failure failure{};
    T value{};
    bool good = false;

    explicit operator bool() const { return good; }
};

template <class Kernel, class T> reading<T> read(std::string_view text, const options& rules = {}) {
    reading<T> r{document{text}};
    r.good = decode_with<Kernel>(r.from.data(), r.from.size(), r.value, r.unescaped, r.failure, rules);
    EXPECT_EQ(r.from.text(), text) << "a document is never written to";
    return r;
}

/// Any JSON value. A class of its own because it contains itself.
struct any
    : std::variant<std::monostate, bool, double, std::string, std::vector<any>, std::map<std::string, any>> {
    using variant::variant;
};

inline std::ostream& operator<<(std::ostream& to, const any& value) { return to << json::to_string(value); }

}  // namespace weir::json::test

namespace weir::json {
inline std::ostream& operator<<(std::ostream& to, reason why) { return to << reflect::enum_name(why); }
}  // namespace weir::json
