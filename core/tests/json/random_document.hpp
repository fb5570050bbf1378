#pragma once
#include <random>
#include <string>

namespace weir::json::test {

/// Documents of all shapes, valid and nearly valid, the same for the same seed.
class random_document {
public:
    explicit random_document(unsigned seed) : random_(seed) {}

    std::string valid() {
        std::string all;
        value(all, 0);
        return all;
    }

    /// A few bytes changed, removed, added or repeated.
    std::string mutated(std::string text) {
        static constexpr std::string_view likely =
            "{}[]\",:\\/ \n\t0123456789.-+eEtrufalsn\x01\x1f\x7f\x80\xc3\xe2\xf0\xff";
        for (unsigned n = 1 + below(3); n != 0; --n) {
            const std::size_t at = text.empty() ? 0 : below(static_cast<unsigned>(text.size()));
            const char c = below(4) == 0 ? static_cast<char>(below(256))
                                         : likely[below(static_cast<unsigned>(likely.size()))];
            switch (below(6)) {
            case 0: text.insert(at, 1, c); break;
            case 1:
                if (!text.empty()) text.erase(at, 1 + below(4));
                break;
            case 2: text.resize(at); break;
            case 3: text.insert(at, text.substr(at / 2, below(12))); break;
            default:
                if (!text.empty()) text[at] = c;
            }
        }
        return text;
    }

    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

private:
    void space(std::string& to) {
        while (below(5) == 0) to += " \n\t\r"[below(4)];
    }
    void string(std::string& to) {
        static constexpr const char* parts[] = {"a",
                                                "bc",
                                                "def ",
                                                "0123456789abcdef",
                                                "\\n",
                                                "\\\"",
                                                "\\\\",
                                                "\\/",
                                                "\\u0041",
                                                "\\u00e9",
                                                "\\u20AC",
                                                "\\ud83d\\ude00",
                                                "\xc3\xa9",
                                                "\xe2\x82\xac",
                                                "\xf0\x9f\x98\x80",
                                                "{",
                                                "]",
                                                ":",
                                                "\\b\\f\\r\\t",
                                                "\x7f"};
        to += '"';
        for (unsigned n = below(8); n != 0; --n) to += parts[below(std::size(parts))];
        to += '"';
    }
    void number(std::string& to) {
        if (below(2)) to += '-';
        if (below(4)) to += std::to_string(random_() >> below(64));
        else to += '0';
        if (below(2)) to += '.' + std::to_string(random_() >> below(64));
        if (below(4) == 0)
            to += std::string{"eE"[below(2)]} + (below(2) ? "+" : "-") + std::to_string(below(120));
    }
    void value(std::string& to, unsigned depth) {
        space(to);
        switch (below(depth < 5 ? 9 : 6)) {
        case 0: to += "null"; break;
        case 1: to += below(2) ? "true" : "false"; break;
        case 2:
        case 3: number(to); break;
        case 4:
        case 5: string(to); break;
        case 6:
        case 7:
            to += '{';
            space(to);
            for (unsigned n = below(5), i = 0; i < n; ++i) {
                if (i != 0) to += ',';
                space(to);
                string(to);
                space(to);
                to += ':';
                value(to, depth + 1);
            }
            to += '}';
            break;
        default:
            to += '[';
            space(to);
            for (unsigned n = below(5), i = 0; i < n; ++i) {
                if (i != 0) to += ',';
                value(to, depth + 1);
            }
            to += ']';
        }
        space(to);
    }

    std::mt19937_64 random_;
};

}  // namespace weir::json::test
