#include "random_document.hpp"
#include "support.hpp"

#include <optional>
#include <tuple>

// Damaged documents into a message with a member of every kind: sanitizers see every byte that is touched,
// and what is taken nevertheless must be writable and come back the same.

namespace weir::json::test {
namespace {

enum class color { red, green };
struct inner {
    int n;
    std::string text;
    bool operator==(const inner&) const = default;
};
struct everything {
    std::uint8_t small;
    std::int64_t large;
    double ratio;
    float less;
    bool flag;
    std::string text;
    std::optional<std::string> maybe;
    std::vector<inner> list;
    std::vector<bool> bits;
    std::array<int, 2> fixed;
    std::tuple<int, std::string> tuple;
    std::map<std::string, double> names;
    std::map<int, std::string> numbers;
    std::variant<std::monostate, int, double, std::string, inner> choice;
    color shade;
    std::chrono::milliseconds wait;
    std::chrono::sys_time<std::chrono::microseconds> at;
    std::unique_ptr<inner> owned;
};
constexpr std::string_view whole =
    R"({"small":200,"large":-9223372036854775808,"ratio":129.95,"less":0.1,"flag":true,)"
    R"("text":"gr\u00fc\u00df \ud83d\ude00 dich","maybe":null,)"
    R"("list":[{"n":1,"text":"a\"b"},{"n":-2,"text":"0123456789abcdef0123456789"}],"bits":[true,false],)"
    R"("fixed":[1,2],"tuple":[3,"x"],)"
    R"("names":{"EUR":1.5,"USD":1e3},"ignored":[{"a":[1,2.5,"x",{}]},null,true,"\n\u20ac"],)"
    R"("numbers":{"-8":"minus","7":"seven"},"choice":1.5,)"
    R"("pad":"0123456789012345","pad1":"0123456789012345","shade":"green","wait":1500,)"
    R"("at":"2024-05-01T12:34:56.789+02:00","owned":{"n":5,"text":""}})";

template <class Kernel> class damaged : public ::testing::Test {
protected:
    scratch unescaped;
    everything value{};
    std::size_t taken = 0, refused = 0;

    void feed(std::string_view text) {
        const document from{text};
        decode_failure failure;
        unescaped.clear();
        if (!decode_with<Kernel>(from.data(), from.size(), value, unescaped, failure)) {
            ++refused;
            ASSERT_NE(failure.why, reason::none) << text;
            ASSERT_LE(failure.offset, text.size()) << text;
            ASSERT_FALSE(failure.text().empty());
            return;
        }
        ++taken;
        output out;
        encode_with<Kernel>(out, value);
        const document again{out.text()};
        everything second{};
        ASSERT_TRUE(decode_with<Kernel>(again.data(), again.size(), second, unescaped, failure))
            << out.text() << ": " << failure.text();
        ASSERT_EQ(to_string(second), out.text());
    }
};
TYPED_TEST_SUITE(damaged, kernels);

TYPED_TEST(damaged, every_beginning_of_a_document_is_refused) {
    for (std::size_t size = 0; size < whole.size(); ++size) this->feed(whole.substr(0, size));
    EXPECT_EQ(this->refused, whole.size());
    this->feed(whole);
    EXPECT_EQ(this->taken, 1u);
}

TYPED_TEST(damaged, every_byte_replaced_by_those_that_mean_something) {
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (char c : std::string_view{"\0\"\\{}[],:x0-.e \n\x1f\x80\xc3\xff", 20}) {
            std::string text{whole};
            text[at] = c;
            this->feed(text);
        }
    EXPECT_GT(this->taken, 0u);
    EXPECT_GT(this->refused, this->taken);
}

TYPED_TEST(damaged, at_random) {
    random_document random(7);
    for (int i = 0; i < 20'000; ++i) this->feed(random.mutated(std::string{whole}));
    EXPECT_GT(this->taken, 1000u);
    EXPECT_GT(this->refused, 1000u);
}

}  // namespace
}  // namespace weir::json::test
