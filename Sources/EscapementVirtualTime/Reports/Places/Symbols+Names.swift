extension Symbols {
  /// The name of a function as reports show it: of `closure #1 in closure #2 in f()`, the words
  /// `closure in f()`, and of `g #1 @Sendable (Int) in closure #2 in f()`, the words `g(…) in f()`.
  static func shortened(_ name: String) -> String {
    // The compiler keeps the spaces of names such as `f of x` apart from others.
    var name = String(name.map { $0 == "\u{A0}" ? " " : $0 })[...]
    // Prefixes of functions that the compiler derives: copies, and those with captured values.
    let made = ["specialized ", "partial apply for "]
    while let prefix = made.first(where: { name.hasPrefix($0) }) {
      name = name.dropFirst(prefix.count)
    }
    let parts = parts(of: name)
    let named = parts.drop(while: isClosure)
    guard let first = named.first else { return "a closure" }
    let inner = named.count < parts.count ? "closure in " : ""
    let types = named.dropFirst().prefix { localType($0) != nil }.compactMap(localType)
    if !types.isEmpty { return inner + (types.reversed() + [first]).joined(separator: ".") }
    guard let local = localFunction(first) else {
      return inner + named.joined(separator: " in ")
    }
    let outer = named.last { !isClosure($0) && localFunction($0) == nil }
    return inner + local + (outer.map { " in \($0)" } ?? "")
  }

  /// The parts of `f #1 () in closure #1 in (extension in M):T.g()`: `in` inside of parentheses is
  /// no border.
  static func parts(of name: Substring) -> [Substring] {
    var (parts, depth, start) = ([Substring](), 0, name.startIndex)
    let border = " in "
    for index in name.indices {
      switch name[index] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case " " where depth == 0 && index >= start && name[index...].hasPrefix(border):
        parts.append(name[start..<index])
        start = name.index(index, offsetBy: border.count)
      default: break
      }
    }
    return parts + [name[start...]]
  }

  private static func isClosure(_ part: Substring) -> Bool { part.contains("closure #") }

  /// Of `Model #1`, in which a method of a local type is, the word `Model`; `nil` for other parts.
  private static func localType(_ part: Substring) -> Substring? {
    guard let mark = part.firstRange(of: " #"), part[mark.upperBound...].allSatisfy(\.isNumber),
      !isClosure(part)
    else { return nil }
    return part[..<mark.lowerBound]
  }

  /// Of `f #1 @Sendable (Int)`, the words `f(…)`; `nil` if a function is not a local one.
  private static func localFunction(_ part: Substring) -> String? {
    guard let mark = part.firstRange(of: " #"),
      part[mark.upperBound...].first?.isNumber == true
    else { return nil }
    return part[..<mark.lowerBound] + (part.contains("()") ? "()" : "(…)")
  }
}
