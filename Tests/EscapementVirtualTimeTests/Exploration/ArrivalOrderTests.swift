import Dispatch
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

/// In which order tasks come to an actor.
@Suite(.virtualStandardClocks) struct ArrivalOrderTests {
  /// The orders in which names come to be in a list, in so many schedules.
  private func orders(
    _ options: VirtualTimeOptions = VirtualTimeOptions(),
    _ body: @escaping @Sendable @concurrent (Log<String>) async -> Void
  ) async throws -> Set<[String]> {
    let orders = Lock<Set<[String]>>([])
    let report = try await withExploration(100, options) { _ in
      let names = Log<String>()
      await body(names)
      orders.withLock { _ = $0.insert(names.entries) }
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(report.firstDifference == nil)
    return orders.withLock(\.self)
  }

  private let childFirst: Set = [["child", "parent"]]

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
