#include <weir/error.hpp>

namespace weir {
namespace {

class category final : public std::error_category {
public:
    const char* name() const noexcept override { return "weir"; }
    std::string message(int value) const override {
        switch (static_cast<errc>(value)) {
        case errc::closed: return "closed";
        case errc::not_started: return "not started";
        case errc::queue_full: return "queue full";
        case errc::timed_out: return "timed out";
        case errc::cancelled: return "cancelled";
        case errc::too_large: return "message too large";
        case errc::invalid_name: return "invalid name";
        case errc::not_supported: return "not supported by this broker";
        case errc::unencodable: return "value cannot be encoded";
        case errc::undecodable: return "payload cannot be decoded";
        case errc::failed_fast: return "stopped by a failure policy";
        case errc::already_waited: return "somebody waits already";
        case errc::misuse: return "misuse";
        }
        return "unknown error";
    }
};

}  // namespace

const std::error_category& error_category() noexcept {
    static const category instance;
    return instance;
}

}  // namespace weir
