// The code of the first test before its mistake is mended. Examples/FirstTest has the rest.

private enum Before {
  /// A customer who is signed in, until half an hour after the last click.
  actor Session {
    private(set) var isOpen = true

    func click() {
      Task {
        try await Task.sleep(for: .seconds(30 * 60))
        isOpen = false
      }
    }
  }
}
