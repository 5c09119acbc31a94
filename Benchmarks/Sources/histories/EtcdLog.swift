import EscapementModels

/// A key of etcd, as Jepsen's clients use it.
struct Register: Model {
  enum Call { case read, write(Int), swap(from: Int, to: Int) }
  enum Answer: Equatable { case value(Int?), written, swapped(Bool) }

  private var value: Int?

  mutating func answer(to call: Call) -> Answer {
    switch call {
    case .read: return .value(value)
    case .write(let new):
      value = new
      return .written
    case .swap(let old, let new):
      guard value == old else { return .swapped(false) }
      value = new
      return .swapped(true)
    }
  }
}

/// A log of Jepsen: for each call a line at its beginning and at its end, with tabs between the
/// process, what happens, the function and its value.
enum EtcdLog {
  struct Unreadable: Error { let line: Substring }

  /// The numbers of the logs that are linearizable.
  private static let right: Set = [
    2, 5, 7, 18, 25, 31, 38, 45, 48, 49, 51, 53, 56, 67, 75, 76, 80, 87, 92, 98, 100, 101, 102,
  ]

  /// Whether the log with this name is linearizable.
  static func isRight(_ name: String) -> Bool {
    right.contains(Int(name.filter(\.isNumber)) ?? -1)
  }

  static func history(of log: String) throws -> History<Register.Call, Register.Answer> {
    var history = History<Register.Call, Register.Answer>()
    var underWay: [Substring: Int] = [:]
    for line in log.split(separator: "\n") where line.contains("jepsen.util - ") {
      let fields = line.split(separator: "\t")
      guard fields.count == 4, let process = fields[0].split(separator: " ").last else { continue }
      let numbers = fields[3].split { !$0.isNumber }.compactMap { Int($0) }
      switch (fields[1], fields[2]) {
      case (":invoke", let function):
        guard let call = call(function, numbers) else { throw Unreadable(line: line) }
        underWay[process] = history.begin(call, by: String(process))
      case (":ok", ":read"): end(.value(numbers.first))
      case (":ok", ":write"): end(.written)
      case (":ok", ":cas"): end(.swapped(true))
      case (":fail", ":cas"): end(.swapped(false))
      // It has no answer.
      default: underWay[process] = nil
      }
      func end(_ answer: Register.Answer) {
        if let number = underWay.removeValue(forKey: process) { history.end(number, with: answer) }
      }
    }
    return history
  }

  private static func call(_ function: Substring, _ numbers: [Int]) -> Register.Call? {
    switch (function, numbers.count) {
    case (":read", 0): .read
    case (":write", 1): .write(numbers[0])
    case (":cas", 2): .swap(from: numbers[0], to: numbers[1])
    default: nil
    }
  }
}
