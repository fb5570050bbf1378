// A stranger's program: only installed headers, only the installed library.
#include <weir/error.hpp>
#include <weir/version.hpp>

#include <cstdio>
#include <string>

int main() {
    // The category lives in the library file: if linking did not work, this program would not exist.
    const std::string text = weir::make_error_code(weir::errc::closed).message();
    std::printf("weir %.*s: %s\n", static_cast<int>(weir::version.size()), weir::version.data(),
                text.c_str());
    return text.empty() ? 1 : 0;
}
