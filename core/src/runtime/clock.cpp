#include <weir/runtime/clock.hpp>

namespace weir {

using wall_time = std::chrono::system_clock::time_point;

const clock& real_clock() noexcept {
    static constexpr clock real{
        [](const void*) -> nanos { return std::chrono::steady_clock::now().time_since_epoch(); },
        [](const void*) -> wall_time { return std::chrono::system_clock::now(); },
        nullptr,
        true,
    };
    return real;
}

manual_clock::manual_clock(nanos start, wall_time wall_start) noexcept
    : now_(start.count()),
      start_(start),
      wall_start_(wall_start),
      source_{
          [](const void* self) -> nanos { return static_cast<const manual_clock*>(self)->now(); },
          [](const void* self) -> wall_time { return static_cast<const manual_clock*>(self)->wall(); },
          this,
          false,
      } {}

wall_time manual_clock::wall() const noexcept {
    return wall_start_ + std::chrono::duration_cast<wall_time::duration>(now() - start_);
}

}  // namespace weir
