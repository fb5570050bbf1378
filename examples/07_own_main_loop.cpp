// A program with a main loop of its own, such as a game or a simulation, lets the service run inside it:
// start_here() starts no thread, run_ready() does what can be done now and comes back.
//
// Prints:
//   frame 1: 2 moves, the robot is at 3
//   frame 2: 2 moves, the robot is at 10
//   frame 3: 2 moves, the robot is at 21
//   the end: every handler finished in time
#include <weir/weir.hpp>

#include <cstdio>

struct Move {
    int steps;
};
inline constexpr weir::topic<Move> moves{"moves"};

struct Robot {
    int position = 0, moves = 0;
};
void advance(const Move& move, Robot& robot) {
    robot.position += move.steps;
    ++robot.moves;
}

int main() {
    weir::application app;
    Robot robot;
    app.provide(robot);
    app.use(weir::memory::broker{}).subscribe(moves, advance);

    auto running = app.start_here();
    const auto publisher = running.publisher();
    for (int frame = 1; frame <= 3; ++frame) {
        // On the thread of the handlers nobody else would make room in a full queue, so publishing does not
        // wait here.
        if (publisher.publish(moves, {frame * 2 - 1}).try_now()) return 1;
        if (publisher.publish(moves, {frame * 2}).try_now()) return 1;

        while (running.run_ready()) {}
        std::printf("frame %d: %d moves, the robot is at %d\n", frame, robot.moves, robot.position);
        robot.moves = 0;
    }
    const weir::drain_report end = running.shutdown();
    std::printf("the end: %s\n", end.complete ? "every handler finished in time" : "something was left");
    return end.complete ? 0 : 1;
}
