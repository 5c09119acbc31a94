import Foundation

/// Scopes of one kind, begun in one place, so many at a time.
struct ScopeSeries: Codable, Hashable {
  /// What is in a scope.
  enum Content: String, Codable, CaseIterable {
    case nothing = "empty"
    /// Ten tasks that sleep ten times each.
    case tenByTen = "10 x 10"
  }

  /// Where scopes are begun.
  enum Origin: String, Codable, CaseIterable {
    case pool
    case mainActor = "main actor"
  }

  let content: Content
  let origin: Origin
  /// How many tasks each begin one scope after the other.
  let lanes: Int

  static let all: [ScopeSeries] = {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let lanes = [1, 2, cores].reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
    return Content.allCases.flatMap { content in
      Origin.allCases.flatMap { origin in
        lanes.map { ScopeSeries(content: content, origin: origin, lanes: $0) }
      }
    }
  }()
}
