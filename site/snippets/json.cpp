#include "check.hpp"

#include <weir/json/decode.hpp>
#include <weir/json/encode.hpp>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

enum class Status { open, paid };
struct Item {
    std::string sku;
    unsigned count;
};
struct Order {
    std::uint64_t id;
    Status status;
    std::optional<std::string> note;
    std::vector<Item> items;
    std::map<std::string, double> prices;
    std::variant<std::string, std::int64_t> reference;
    std::chrono::sys_time<std::chrono::milliseconds> placed;
    std::chrono::seconds valid;
};

void both_ways() {
    const Order order = weir::json::parse<Order>(R"({
        "id": 7, "status": "paid", "items": [{"sku": "a-1", "count": 2}], "reference": 99,
        "placed": "2026-01-31T12:00:00.250+01:00", "valid": 90, "comment": "not a member, skipped"
    })");
    const std::string text = weir::json::to_string(order);
    check(text == R"({"id":7,"status":"paid","note":null,"items":[{"sku":"a-1","count":2}],"prices":{},)"
                  R"("reference":99,"placed":"2026-01-31T11:00:00.250Z","valid":90})");
}

struct Event {
    std::string source;
};
struct Reading : Event {
    std::uint64_t number = 0;
    int codes[3] = {};
    bool cached = false;  // not listed: codecs leave it alone
    static constexpr auto fields() {
        return weir::fields(weir::base<Event>, weir::field("no", &Reading::number),
                            weir::field("codes", &Reading::codes));
    }
};

namespace geo {
struct point {  // not ours, cannot be changed
    double x_, y_;
};
}  // namespace geo
template <>
inline constexpr auto weir::fields_of<geo::point> =
    weir::fields(weir::field("x", &geo::point::x_), weir::field("y", &geo::point::y_));

enum class Color { red, green };
template <>
inline constexpr auto weir::names_of<Color> =
    std::array{weir::enumerator{Color::red, "RED"}, weir::enumerator{Color::green, "GREEN"}};

enum class Level { low = 1, high = 9 };
template <> inline constexpr bool weir::as_number<Level> = true;

struct Lamp {
    Color color;
    Level level;
};

struct Settings {
    int retries = 3;
    std::string region = "eu";
};
template <> inline constexpr bool weir::json::keeps_defaults<Settings> = true;

void customised() {
    const Reading r = weir::json::parse<Reading>(R"({"source":"s","no":5,"codes":[1,2,3]})");
    check(r.source == "s" && r.number == 5 && r.codes[2] == 3);
    check(weir::json::to_string(geo::point{1, 2.5}) == R"({"x":1,"y":2.5})");
    check(weir::json::to_string(Lamp{Color::green, Level::high}) == R"({"color":"GREEN","level":9})");
    const Settings s = weir::json::parse<Settings>(R"({"retries":5})");
    check(s.retries == 5 && s.region == "eu");
}

void strict() {
    std::string said;
    try {
        weir::json::parse<Order>(R"({"id": 7, "status": "paid", "items": [{"sku": "a-1", "count": -2}]})");
    } catch (const weir::error& e) {  // errc::undecodable
        said = e.what();
    }
    check(said == "JSON: a number that the member cannot hold, in items[0].count, at byte 62");
    try {
        weir::json::to_string(geo::point{1, std::numeric_limits<double>::quiet_NaN()});
    } catch (const weir::error& e) {  // errc::unencodable
        said = e.what();
    }
    check(said.find("y") != std::string::npos && said.find("finite") != std::string::npos);
    const weir::json::options rules{.unknown = weir::json::unknown_members::refuse,
                                    .duplicate = weir::json::duplicate_members::last_wins,
                                    .missing = weir::json::missing_members::keep_default,
                                    .depth = 8};
    const auto lamp = weir::json::parse<Item>(R"({"sku": "a", "sku": "b"})", rules);
    check(lamp.sku == "b" && lamp.count == 0);
}

struct View {
    std::string_view name;
};
void in_place() {
    weir::block* const document = weir::make_block(R"({"name":"Ada"})");  // a block has the zeros behind it
    View view;
    weir::json::scratch unescaped;  // texts that had escapes; everything else is a view of the document
    weir::json::decode_failure why;
    if (!weir::json::decode(document->data(), 14, view, unescaped, why)) std::puts(why.text().c_str());
    check(view.name == "Ada");
    weir::release(document);  // from here on view.name points nowhere
}

int main() {
    both_ways();
    customised();
    strict();
    in_place();
}
