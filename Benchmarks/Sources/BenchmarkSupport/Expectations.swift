/// What was expected and did not hold.
package struct Expectations {
  package private(set) var complaints: [String] = []

  package init() {}

  package mutating func expect<Value: Equatable>(
    _ value: Value, is expected: Value, _ name: String
  ) {
    if value != expected { complaints.append("\(name) is \(value), not \(expected)") }
  }

  package mutating func expect(_ condition: Bool, _ name: String) {
    if !condition { complaints.append(name) }
  }
}
