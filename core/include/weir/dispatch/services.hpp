#pragma once
#include <weir/reflect/type_name.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::detail {

template <class T> inline constexpr char type_key{};

/// What the application provides to handlers, by type.
class services {
public:
    enum class kind : unsigned char { plain, constant, shared, per_thread };
    struct entry {
        const char* key;
        kind how;
        void* object;
        std::function<std::shared_ptr<void>()> make;
        std::vector<std::shared_ptr<void>> made;  // one a thread
    };

    /// Replaces an earlier object of the same type.
    void add(entry e) {
        for (entry& old : all_)
            if (old.key == e.key) {
                old = std::move(e);
                return;
            }
        all_.push_back(std::move(e));
    }
    const entry* find(const char* key) const noexcept {
        for (const entry& e : all_)
            if (e.key == key) return &e;
        return nullptr;
    }
    /// The object for one thread. start() has checked that there is one.
    void* get(const char* key, unsigned thread) {
        for (entry& e : all_) {
            if (e.key != key) continue;
            if (e.how != kind::per_thread) return e.object;
            if (e.made.size() <= thread) e.made.resize(thread + 1);
            if (!e.made[thread]) e.made[thread] = e.make();
            return e.made[thread].get();
        }
        return nullptr;
    }

private:
    std::vector<entry> all_;
};

/// What start() looks at before it connects anything: every sentence names the subscription and the fix.
struct start_check {
    const services& provided;
    std::vector<std::string> errors;
    unsigned thread = 0;  ///< of the subscription that is looked at

    struct user {
        const char* key;
        unsigned thread;
        std::string subscription;
    };
    std::vector<user> mutable_users;
    void say(const std::string& subscription, const std::string& what) {
        errors.push_back("weir: subscription '" + subscription + "' " + what);
    }
};

/// The part of the check that is the same for every provided object.
void check_provided(start_check&, const std::string& subscription, const char* key, std::string_view type,
                    bool takes_const);

}  // namespace weir::detail
