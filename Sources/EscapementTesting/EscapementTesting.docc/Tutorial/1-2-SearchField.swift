@MainActor
final class SearchField {
  /// The text that the user has typed.
  var text = ""
  /// The places that the server has found, or nil if it does not answer.
  private(set) var places: [String]? = []

  private let find: @MainActor (String) async throws -> [String]

  init(find: @escaping @MainActor (String) async throws -> [String]) {
    self.find = find
  }
}
