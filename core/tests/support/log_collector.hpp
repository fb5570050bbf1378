#pragma once
#include <weir/log.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// Keeps what is logged, to be asked for. Any thread.
class log_collector final : public log_sink {
public:
    struct line {
        log_level level;
        std::string text;
        std::vector<std::pair<std::string, std::string>> fields;
        /// Empty: there is no such field.
        std::string field(std::string_view name) const {
            for (const auto& [n, value] : fields)
                if (n == name) return value;
            return {};
        }
    };

    void write(const log_record& r) noexcept override {
        line l{r.level, std::string{r.text}, {}};
        for (const log_field& f : r.fields) l.fields.emplace_back(f.name(), f.value());
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::move(l));
    }

    std::vector<line> lines() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }
    /// The lines with exactly this text.
    std::vector<line> all(std::string_view text) const {
        std::vector<line> found = lines();
        std::erase_if(found, [text](const line& l) { return l.text != text; });
        return found;
    }
    std::size_t count(std::string_view text) const { return all(text).size(); }
    /// The last line with this text; one without text if there is none.
    line last(std::string_view text) const {
        const std::vector<line> found = all(text);
        return found.empty() ? line{log_level::off, {}, {}} : found.back();
    }
    /// Everything, for the message of a failed expectation.
    std::string dump() const {
        std::string whole;
        for (const line& l : lines()) {
            ((whole += to_string(l.level)) += ' ') += l.text;
            for (const auto& [name, value] : l.fields) (((whole += ' ') += name) += '=') += value;
            whole += '\n';
        }
        return whole;
    }

private:
    mutable std::mutex mutex_;
    std::vector<line> lines_;
};

}  // namespace weir::test
