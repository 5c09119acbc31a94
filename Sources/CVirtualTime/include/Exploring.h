#pragma once

// The exploration of schedules.

#include "Tasks.h"

/// The executor that new tasks are to prefer on threads that explore.
void cvt_set_explorer(cvt_executor executor);
/// The executor to which tasks go on threads that explore, before they go to an actor.
void cvt_set_waiting_room(cvt_executor executor);
/// The address of the actor to which a task goes from the waiting room; 0 if it goes to none.
uintptr_t cvt_actor_of_arrival(const void *_Nonnull task);
/// Keeps the memory of an actor, and not the actor, so that no other one gets its address.
void cvt_keep_memory(uintptr_t actor);
void cvt_give_memory_back(uintptr_t actor);
/// Whether a task has been created so.
bool cvt_sees_creation(void);

/// A scope that is explored begins; `SystemRandomNumberGenerator` may give it the same numbers in
/// each run.
void cvt_random_begins(uint32_t scope, bool repeats);

/// An object of EscapementTesting that provides the filter of failures, retained; null without it.
void *_Nullable cvt_failure_filter_provider(void);

/// Sets the function that is called when XCTest has created and enqueued a task on a thread that
/// visits a scope, and before XCTest waits for the task.
void cvt_set_method_begins(void (*_Nonnull function)(void *_Nonnull task));
