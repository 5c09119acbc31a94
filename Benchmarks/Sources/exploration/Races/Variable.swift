/// A variable that tasks share: an actor keeps it, so other tasks may come before each access.
///
/// No access is inlined. Else the compiler would make one piece of two accesses in a row, since
/// nothing is between them.
final class Variable: Sendable {
  private actor Storage {
    private var value: Int
    init(_ value: Int) { self.value = value }

    func update(_ change: @Sendable (Int) -> Int) -> Int {
      defer { value = change(value) }
      return value
    }
  }

  private let storage: Storage

  init(_ value: Int = 0) { storage = Storage(value) }

  @inline(never) @concurrent func load() async -> Int { await storage.update { $0 } }

  @inline(never) @concurrent func store(_ new: Int) async { _ = await storage.update { _ in new } }

  /// Stores a value, and returns the former one.
  @inline(never) @concurrent func exchange(_ new: Int) async -> Int {
    await storage.update { _ in new }
  }

  /// Adds a number, and returns the sum.
  @inline(never) @concurrent @discardableResult func add(_ number: Int) async -> Int {
    await storage.update { $0 + number } + number
  }

  /// Stores a value instead of an expected one; returns whether it was there.
  @inline(never) @concurrent func replace(_ old: Int, by new: Int) async -> Bool {
    await storage.update { $0 == old ? new : $0 } == old
  }
}
