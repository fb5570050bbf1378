// A handler that waits is a task: while one message waits, its thread serves others. workers(n) says how many
// messages of a subscription may be under way at once. Calls that block go to other threads by offload().
//
// Prints:
//   9 thumbnails, 3 under way at once
//   picture 7 has the checksum 34650
#include <weir/weir.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

using namespace std::chrono_literals;

struct Picture {
    int id;
};
inline constexpr weir::topic<Picture> pictures{"pictures"};

// One thread runs all of this, so there is nothing to lock.
struct Progress {
    int under_way = 0, most = 0, thumbnails = 0;
    std::map<int, long> checksums;
};

// With one `co_await` a statement, and named arguments, g++ 12 compiles tasks as well; see CONTRIBUTING.md.
weir::task<void> make_thumbnail(const Picture&, Progress& progress) {
    progress.most = std::max(progress.most, ++progress.under_way);
    co_await weir::sleep_for(5ms);  // where a real service asks another one
    --progress.under_way;
    ++progress.thumbnails;
}

// Something that computes or blocks for long would hold up every handler of this thread.
long checksum(int id) {
    long sum = 0;
    for (int i = 0; i != 100; ++i) sum += i * id;
    return sum;
}
weir::task<void> verify(const Picture& picture, Progress& progress) {
    auto work = [id = picture.id] { return checksum(id); };  // owns what it needs: it runs elsewhere
    const long sum = co_await weir::offload(work);
    progress.checksums[picture.id] = sum;  // back on the handler's own thread
}

int main() {
    weir::application app;
    Progress progress;
    app.provide(progress);

    auto& broker = app.use(weir::memory::broker{});
    broker.subscribe(pictures, make_thumbnail, weir::workers(3));
    broker.subscribe(pictures, verify, weir::workers(2));

    auto running = app.start_here();
    const auto publisher = running.publisher();
    for (int id = 1; id != 10; ++id)
        if (publisher.publish(pictures, {id}).try_now()) return 1;
    running.run_until([&] { return progress.thumbnails == 9 && progress.checksums.size() == 9; });

    std::printf("%d thumbnails, %d under way at once\n", progress.thumbnails, progress.most);
    std::printf("picture 7 has the checksum %ld\n", progress.checksums[7]);
}
