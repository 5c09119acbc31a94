import EscapementModels

/// The text of one key of a store.
struct Text: Model {
  enum Function { case get, put, append }
  struct Call {
    let function: Function
    let key: Substring
    let value: Substring
  }

  private var text = ""

  /// The text that was read; `nil` if none was.
  mutating func answer(to call: Call) -> String? {
    switch call.function {
    case .get: return text
    case .put: text = String(call.value)
    case .append: text += call.value
    }
    return nil
  }

  func key(of call: Call) -> AnyHashable? { call.key }
}

/// A log of a store of texts: for each call a line at its beginning and at its end.
enum StoreLog {
  struct Unreadable: Error { let line: Substring }

  static func history(of log: String) throws -> History<Text.Call, String?> {
    var history = History<Text.Call, String?>()
    var underWay: [Substring: Int] = [:]
    // {:process 9, :type :invoke, :f :append, :key "0", :value "x 9 0 y"}
    let event = /{:process (\d+), :type :(\w+), :f :(\w+), :key "(.*)", :value (?:nil|"(.*)")}/
    for line in log.split(separator: "\n") {
      guard let (_, process, type, name, key, value) = try event.wholeMatch(in: line)?.output,
        let function = functions[name]
      else { throw Unreadable(line: line) }
      if type == "invoke" {
        let call = Text.Call(function: function, key: key, value: value ?? "")
        underWay[process] = history.begin(call, by: String(process))
      } else if let number = underWay.removeValue(forKey: process) {
        history.end(number, with: function == .get ? value.map(String.init) : nil)
      }
    }
    return history
  }

  private static let functions: [Substring: Text.Function] = [
    "get": .get, "put": .put, "append": .append,
  ]
}
