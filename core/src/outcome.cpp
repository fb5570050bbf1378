#include <weir/outcome.hpp>

namespace weir {
namespace {
task<void> nothing() { co_return; }
}  // namespace

outcome::outcome(verdict v, std::string text)
    : verdict_(v), form_(form::extended), more_(new extension{std::move(text), nanos{-1}, nothing()}) {}

nanos outcome::delay() const noexcept {
    if (verdict_ != verdict::retry || form_ == form::literal) return nanos{-1};
    return form_ == form::extended ? more_->delay : nanos{delay_};
}

std::string_view outcome::why() const noexcept {
    if (verdict_ != verdict::reject || form_ == form::plain) return {};
    return form_ == form::literal ? std::string_view{literal_, length_} : std::string_view{more_->text};
}

outcome outcome::then(task<void> next) && {
    auto* more = new extension{std::string{why()}, delay(), std::move(next)};
    if (form_ == form::extended) drop();
    form_ = form::extended;
    length_ = 1;
    more_ = more;
    return std::move(*this);
}

bool outcome::has_continuation() const noexcept { return form_ == form::extended && length_ == 1; }

task<void> outcome::take_continuation() {
    length_ = 0;
    return std::move(more_->next);
}

void outcome::drop() noexcept { delete more_; }

}  // namespace weir
