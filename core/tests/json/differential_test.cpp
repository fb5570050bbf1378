#include "random_document.hpp"
#include "support.hpp"
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>

// Against a well-kept library: the same documents must be taken and refused, with the same values. Known
// differences, which the comparison allows for:
//   - a byte order mark: nlohmann skips it, RFC 8259 lets a parser refuse it, and this one does
//   - a zero byte outside of a string: the end of the document there, a fault here
//   - depth: nlohmann has no limit; the documents here stay below this one's
//   - a name that stands twice: the last one wins there, so it does here in this test
//   - integers: nlohmann keeps up to 64 bits of them exactly; they are compared as double

namespace weir::json::test {
namespace {

using theirs = nlohmann::json;

bool same(const any& a, const theirs& b) {
    switch (a.index()) {
    case 0: return b.is_null();
    case 1: return b.is_boolean() && b.get<bool>() == std::get<bool>(a);
    case 2: return b.is_number() && b.get<double>() == std::get<double>(a);
    case 3: return b.is_string() && b.get_ref<const std::string&>() == std::get<std::string>(a);
    case 4: {
        const auto& list = std::get<std::vector<any>>(a);
        return b.is_array() && std::equal(list.begin(), list.end(), b.begin(), b.end(), same);
    }
    default: {
        const auto& map = std::get<std::map<std::string, any>>(a);
        if (!b.is_object() || map.size() != b.size()) return false;
        for (const auto& [key, value] : map)
            if (!b.contains(key) || !same(value, b[key])) return false;
        return true;
    }
    }
}

template <class Kernel> class differential : public ::testing::Test {
protected:
    std::size_t taken = 0, refused = 0;

    void compare(const std::string& text) {
        constexpr options rules{.duplicate = duplicate_members::last_wins, .depth = 1024};
        if (text.starts_with("\xef\xbb\xbf") || text.find('\0') != std::string::npos) return;
        const theirs expected = theirs::parse(text, nullptr, false);
        const auto ours = read<Kernel, any>(text, rules);
        ASSERT_EQ(ours.good, !expected.is_discarded()) << text << ": " << ours.failure.text();
        // What is skipped is checked as strictly, except that a number that nobody reads may be too large for
        // a double.
        if (ours.failure.why != reason::out_of_range) {
            ASSERT_EQ(skips(text, rules), ours.good) << text;
        }
        if (!ours) {
            ++refused;
            return;
        }
        ++taken;
        ASSERT_TRUE(same(ours.value, expected)) << text;
        // What is written is read there as the same.
        output out;
        encode_with<Kernel>(out, ours.value);
        ASSERT_TRUE(same(ours.value, theirs::parse(out.text()))) << out.text();
    }
    static bool skips(const std::string& text, const options& rules) {
        const document from{text};
        scratch unescaped;
        decode_failure failure;
        reader<Kernel> in{from.data(), from.size(), unescaped, failure, rules};
        const char* const behind = in.skip(from.data());
        return behind != nullptr && in.finish(behind);
    }
};
TYPED_TEST_SUITE(differential, kernels);

TYPED_TEST(differential, random_valid_documents) {
    random_document random(8);
    for (int i = 0; i < 5'000; ++i) this->compare(random.valid());
    EXPECT_EQ(this->refused, 0u);
}

TYPED_TEST(differential, random_damaged_documents) {
    random_document random(9);
    for (int i = 0; i < 15'000; ++i) {
        std::string text = random.valid();
        // Small ones show more: their every byte matters.
        if (text.size() > 200) text.resize(200);
        this->compare(random.mutated(text));
    }
    EXPECT_GT(this->taken, 1'000u);
    EXPECT_GT(this->refused, 5'000u);
}

TYPED_TEST(differential, random_short_texts_of_the_characters_of_json) {
    static constexpr std::string_view letters = "{}[]\",:\\ 01-.eE+tnu\xc3\xa9";
    random_document random(10);
    for (int i = 0; i < 30'000; ++i) {
        std::string text;
        for (unsigned n = random.below(7); n != 0; --n)
            text += letters[random.below(static_cast<unsigned>(letters.size()))];
        this->compare(text);
    }
    EXPECT_GT(this->taken, 100u);
}

}  // namespace
}  // namespace weir::json::test

#endif
