import EscapementModels
import _EscapementCore

/// A variable that is set and read.
struct Register: Model {
  enum Call: Hashable, Codable, CustomStringConvertible {
    case set(Int), get

    var description: String {
      switch self {
      case .set(let value): "set(\(value))"
      case .get: "get"
      }
    }
  }

  var value = 0

  mutating func answer(to call: Call) -> Int {
    if case .set(let new) = call { value = new }
    return value
  }

  @Sendable static func randomCall<R: RandomNumberGenerator>(_ random: inout R) -> Call {
    Bool.random(using: &random) ? .set(.random(in: 0...3, using: &random)) : .get
  }
}

/// Variables with names.
struct Registers: Model {
  struct Call: Hashable {
    let name: Int
    let call: Register.Call
  }

  var registers: [Int: Register] = [:]

  mutating func answer(to call: Call) -> Int {
    registers[call.name, default: Register()].answer(to: call.call)
  }

  func key(of call: Call) -> AnyHashable? { call.name }
}

extension History {
  /// A history as text: a line for each client, in which calls begin and end in the columns of their brackets.
  ///
  /// What stands in a bracket is looked up.
  init(_ lanes: [String], _ calls: [Character: (call: Call, answer: Answer?)]) {
    self.init()
    var open: [Int: (number: Int, answer: Answer?)] = [:]
    let lanes = lanes.map { Array($0) }
    for column in 0..<(lanes.map(\.count).max() ?? 0) {
      for (client, lane) in lanes.enumerated() where column < lane.count {
        if lane[column] == "[" {
          let (call, answer) = calls[lane[column + 1]]!
          open[client] = (begin(call, by: "client \(client)"), answer)
        } else if lane[column] == "]", let (number, answer) = open[client] {
          end(number, with: answer!)
        }
      }
    }
  }
}

extension Register {
  /// `1` sets 1, `a` reads 1, and so on.
  static let calls: [Character: (call: Call, answer: Int?)] = [
    "0": (.set(0), 0), "1": (.set(1), 1), "2": (.set(2), 2), "3": (.set(3), 3),
    "o": (.get, 0), "a": (.get, 1), "b": (.get, 2), "c": (.get, 3),
  ]

  /// The verdict about a history as text.
  static func verdict(_ lanes: String...) -> Bool {
    if case .right = Register().check(History(lanes, calls)) { true } else { false }
  }
}

/// What a client does: nothing, a call that has not taken effect, or one that has.
private enum CallState<Call, Answer> {
  case idle
  case begun(Int, Call)
  case done(Int, Answer)
}

extension History {
  /// Random calls of a model, each of which takes effect at a random instant while it is under way.
  static func random<M: Model>(
    _ model: M, clients: Int, calls count: Int, unanswered: Int = 0, seed: UInt64,
    _ call: (inout SplitMix64) -> Call
  ) -> Self where M.Call == Call, M.Answer == Answer {
    var (history, model, random) = (Self(), model, SplitMix64(seed: seed))
    var states = Array(repeating: CallState<Call, Answer>.idle, count: clients)
    var left = count
    while left > 0 {
      let client = random.index(below: clients)
      switch states[client] {
      case .idle:
        let call = call(&random)
        states[client] = .begun(history.begin(call, by: "client \(client)"), call)
        left -= 1
      case .begun(let number, let call):
        // Some never have an answer, and half of those do nothing.
        if random.index(below: 100) < unanswered {
          if random.index(below: 2) == 0 { _ = model.answer(to: call) }
          states[client] = .idle
        } else {
          states[client] = .done(number, model.answer(to: call))
        }
      case .done(let number, let answer):
        history.end(number, with: answer)
        states[client] = .idle
      }
    }
    return history
  }
}
