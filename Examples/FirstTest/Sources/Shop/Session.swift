/// A customer who is signed in, until half an hour after the last click.
actor Session {
  private(set) var isOpen = true
  private var expiry: Task<Void, any Error>?

  func click() {
    expiry?.cancel()
    expiry = Task {
      try await Task.sleep(for: .seconds(30 * 60))
      isOpen = false
    }
  }
}
