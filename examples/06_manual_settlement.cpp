// A handler that takes a weir::delivery settles its message itself, at the moment it chooses, and may go on
// afterwards. The value it returns proves that no path forgot to: without it the program does not compile.
//
// Prints:
//   transfer 1: paid, and already acknowledged
//   transfer 1: receipt sent
//   transfer 2: the counter is closed, again in 5 ms
//   transfer 2: paid, and already acknowledged
//   transfer 2: receipt sent
#include <weir/weir.hpp>

#include <cstdio>

using namespace std::chrono_literals;

struct Transfer {
    int id;
    double amount;
};
inline constexpr weir::topic<Transfer> transfers{"transfers"};

struct Bank {
    int receipts = 0;
};

weir::task<weir::settled> pay(weir::delivery<Transfer> transfer, Bank& bank) {
    if (transfer->id == 2 && transfer.context().attempt() == 1) {
        std::printf("transfer %d: the counter is closed, again in 5 ms\n", transfer->id);
        co_return std::move(transfer).retry_in(5ms);
    }
    // The message stays readable to the end, the delivery itself is used up by its verb.
    const Transfer& paid = transfer.message();
    weir::settled proof = std::move(transfer).ack();
    std::printf("transfer %d: paid, and already acknowledged\n", paid.id);

    // Nothing from here on brings the message back, not even an exception.
    co_await weir::sleep_for(1ms);
    std::printf("transfer %d: receipt sent\n", paid.id);
    ++bank.receipts;
    co_return proof;
}

int main() {
    weir::application app;
    Bank bank;
    app.provide(bank);
    app.use(weir::memory::broker{}).subscribe(transfers, pay);

    auto running = app.start_here();
    const auto publisher = running.publisher();
    for (const Transfer& transfer : {Transfer{1, 100}, Transfer{2, 200}})
        if (publisher.publish(transfers, transfer).try_now()) return 1;
    running.run_until([&] { return bank.receipts == 2; });
}
