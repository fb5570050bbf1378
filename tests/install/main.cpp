// A stranger's program: only installed headers, only the installed library.
#include <weir/weir.hpp>

#include <cstdio>
#include <string>

struct Greeting {
    std::string text;
};

static void greet(const Greeting& greeting) { std::puts(greeting.text.c_str()); }

int main() {
    weir::application app{{"consumer", "1"}};
    app.use(weir::memory::broker{}).subscribe("greetings", greet);
    // Never started: that the program links and gets here is what is asked.
    const std::string text = weir::make_error_code(weir::errc::closed).message();
    std::printf("weir %.*s: %s\n", static_cast<int>(weir::version.size()), weir::version.data(),
                text.c_str());
    return text.empty() ? 1 : 0;
}
