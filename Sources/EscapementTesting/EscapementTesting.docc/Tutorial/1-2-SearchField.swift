@MainActor
final class SearchField {
  /// What the user has typed.
  var text = ""
  /// What the server has found, or nil if it does not answer.
  private(set) var places: [String]? = []

  private let find: @MainActor (String) async throws -> [String]

  init(find: @escaping @MainActor (String) async throws -> [String]) {
    self.find = find
  }
}
