import Dispatch
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

/// A task that makes or resumes another one and then calls an actor need not be there first.
@Suite(.virtualStandardClocks) struct ArrivalOrderTests {
  /// The orders in which names come to be in a list, in so many schedules.
  private func orders(
    _ options: VirtualTimeOptions = VirtualTimeOptions(),
    _ body: @escaping @Sendable @concurrent (Log<String>) async -> Void
  ) async throws -> Set<[String]> {
    let orders = Lock<Set<[String]>>([])
    let report = try await withExploration(100, options: options) { _ in
      let names = Log<String>()
      await body(names)
      orders.withLock { _ = $0.insert(names.entries) }
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(report.firstDifference == nil)
    return orders.withLock(\.self)
  }

  @Test func `each call of an actor makes a pair with the one before it`() async throws {
    let run = ExploredRun(.seed(0, .random), stallsAtOnce: false, counts: VisitCounts())
    var options = VirtualTimeOptions()
    options.exploredRun = run
    try await withVirtualTime(options) { _ in
      let store = Store(Log<String>())
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { await store.add("\(number)") } }
      }
    }
    #expect(Set(run.outcome.sharedVisits.map(\.names.pair)).count == 3)
  }

  private let both: Set = [["parent", "child"], ["child", "parent"]]
  private let childFirst: Set = [["child", "parent"]]

  // MARK: Both orders

  @Test func `a task that is made calls an actor before or after its maker`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      let child = Task { await store.add("child") }
      await store.add("parent")
      await child.value
    }
    #expect(orders == both)
  }

  @Test func `a detached task calls an actor before or after its maker`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      let child = Task.detached { await store.add("child") }
      await store.add("parent")
      await child.value
    }
    #expect(orders == both)
  }

  @Test func `a child of a group calls an actor before or after its parent`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      await withTaskGroup { group in
        group.addTask { await store.add("child") }
        await store.add("parent")
      }
    }
    #expect(orders == both)
  }

  @Test func `an 'async let' calls an actor before or after its parent`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      async let child: Void = store.add("child")
      await store.add("parent")
      await child
    }
    #expect(orders == both)
  }

  @Test func `a task that is resumed calls an actor before or after its resumer`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      let gate = Gate()
      let child = Task {
        await gate.wait()
        await store.add("child")
      }
      await gate.untilWaiting()
      gate.open()
      await store.add("parent")
      await child.value
    }
    #expect(orders == both)
  }

  @Test func `a task that the main actor makes calls an actor before or after it`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      await callFromMain(store)
    }
    #expect(orders == both)
  }

  @Test func `a task that an actor makes calls another actor before or after it`() async throws {
    let orders = try await orders { names in
      await Caller().call(Store(names))
    }
    #expect(orders == both)
  }

  @Test func `a task calls the main actor before or after its maker`() async throws {
    let orders = try await orders { names in
      let child = Task { await addOnMain("child", to: names) }
      await addOnMain("parent", to: names)
      await child.value
    }
    #expect(orders == both)
  }

  @Test func `a task calls an actor with an executor of its own before or after its maker`()
    async throws
  {
    let orders = try await orders(.reaching) { names in
      let store = QueueStore(names)
      let child = Task { await store.add("child") }
      await store.add("parent")
      await child.value
    }
    #expect(orders == both)
  }

  @Test func `another task comes between what a task does and its call of an actor`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      let told = Log<Void>()
      await withTaskGroup { group in
        group.addTask {
          told.append(())
          await store.add("parent")
        }
        group.addTask {
          if told.count > 0 { await store.add("child") }
        }
      }
    }
    #expect(orders == both.union([["parent"]]))
  }

  // MARK: What cannot be

  @Test func `two calls of one task keep their order`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      let child = Task { await store.add("other") }
      await store.add("first")
      await store.add("second")
      await child.value
    }
    #expect(orders.allSatisfy { $0.filter { $0 != "other" } == ["first", "second"] })
    #expect(orders.count == 3)
  }

  @Test func `two calls of an actor with an executor of its own keep their order`() async throws {
    let orders = try await orders(.reaching) { names in
      let store = QueueStore(names)
      let child = Task { await store.add("other") }
      await store.add("first")
      await store.add("second")
      await child.value
    }
    #expect(orders.allSatisfy { $0.filter { $0 != "other" } == ["first", "second"] })
    #expect(orders.count == 3)
  }

  @Test func `a task of the main actor goes before a later call of its maker`() async throws {
    let orders = try await orders { names in
      let child = Task { @MainActor in names.append("child") }
      await MainActor.run { names.append("parent") }
      await child.value
    }
    #expect(orders == childFirst)
  }

  @Test func `a task of an actor goes before a later call of its maker`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      let child = await store.makeTask("child")
      await Task.yield()
      await store.add("parent")
      await child.value
    }
    #expect(orders == childFirst)
  }

  @Test func `tasks of an actor with an executor of its own keep their order`() async throws {
    let orders = try await orders(.reaching) { names in
      let store = QueueStore(names)
      let child = await store.makeTask("child")
      await Task.yield()
      await store.add("parent")
      await child.value
    }
    #expect(orders == childFirst)
  }

  @Test func `calls of an actor by itself are one piece`() async throws {
    let orders = try await orders { names in
      let store = Store(names)
      await withTaskGroup { group in
        for name in ["a", "b"] { group.addTask { await store.addTwice(name) } }
      }
    }
    #expect(orders == [["a", "a", "b", "b"], ["b", "b", "a", "a"]])
  }

  @Test func `calls of an actor with an executor of its own by itself are one piece`() async throws
  {
    let orders = try await orders(.reaching) { names in
      let store = QueueStore(names)
      await withTaskGroup { group in
        for name in ["a", "b"] { group.addTask { await store.addTwice(name) } }
      }
    }
    #expect(orders == [["a", "a", "b", "b"], ["b", "b", "a", "a"]])
  }

  @Test func `a task of the main actor goes before a later block of the main queue`() async throws {
    let orders = try await orders(.reaching) { names in
      let child = await MainActor.run {
        let child = Task { @MainActor in names.append("task") }
        DispatchQueue.main.async { names.append("block") }
        return child
      }
      await child.value
      await names.wait(for: 2)
    }
    #expect(orders == [["task", "block"]])
  }
}

private actor Store {
  private let names: Log<String>

  init(_ names: Log<String>) { self.names = names }

  func add(_ name: String) { names.append(name) }

  func addTwice(_ name: String) async {
    names.append(name)
    await again(name)
  }

  /// Is asynchronous, but never suspends.
  private func again(_ name: String) async { names.append(name) }

  func makeTask(_ name: String) -> Task<Void, Never> { Task { add(name) } }
}

/// An actor whose jobs run on a serial queue.
private actor QueueStore {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let names: Log<String>

  init(_ names: Log<String>) { self.names = names }

  func add(_ name: String) { names.append(name) }

  func addTwice(_ name: String) async {
    names.append(name)
    await withTaskCancellationHandler {
      await again(name)
    } onCancel: {
    }
  }

  /// Is asynchronous, but never suspends.
  private func again(_ name: String) async { names.append(name) }

  func makeTask(_ name: String) -> Task<Void, Never> { Task { add(name) } }
}

private actor Caller {
  func call(_ store: Store) async {
    let child = Task.detached { await store.add("child") }
    await store.add("parent")
    await child.value
  }
}

@MainActor private func callFromMain(_ store: Store) async {
  let child = Task.detached { await store.add("child") }
  await store.add("parent")
  await child.value
}

@MainActor private func addOnMain(_ name: String, to names: Log<String>) { names.append(name) }

/// One task waits until it is opened.
private final class Gate: Sendable {
  private let waiting = Lock<CheckedContinuation<Void, Never>?>(nil)
  private let waits = Log<Void>()

  func wait() async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
      waits.append(())
    }
  }

  func untilWaiting() async { await waits.wait(for: 1) }

  func open() { waiting.withLock(\.self)?.resume() }
}
