#pragma once

namespace weir {

/// Something a run loop can run. Intrusive: the loop links nodes and owns none, so queueing allocates nothing. A node
/// must stay where it is while it is queued or posted; `run_loop::withdraw` takes it out again.
struct run_node {
    run_node* next = nullptr;
    void (*run)(run_node*) noexcept = nullptr;
    bool queued = false;  ///< in the ready queue of its loop
};

}  // namespace weir
