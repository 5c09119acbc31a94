/// A document on disk.
package actor Disk {
  package private(set) var saves: [String] = []

  package init() {}

  package func save(_ text: String) { saves.append(text) }
}

/// Saves a text a while after it was changed, or at once when the user asks for it.
package protocol AutoSave: Actor {
  init(disk: Disk)
  func edit(_ text: String)
  func saveNow() async
}

/// Cancels the timer when the user saves. A timer that has fired already is not stopped by that, and
/// saves once more.
package actor RacyAutoSave: AutoSave {
  private let disk: Disk
  private var text: String?
  private var timer: Task<Void, any Error>?

  package init(disk: Disk) { self.disk = disk }

  package func edit(_ text: String) {
    self.text = text
    timer?.cancel()
    timer = Task {
      try await Task.sleep(for: .seconds(5))
      await save()
    }
  }

  package func saveNow() async {
    timer?.cancel()
    await save()
  }

  private func save() async {
    guard let text else { return }
    await disk.save(text)
    self.text = nil
  }
}

/// Takes the text in the step in which it looks for it.
package actor FixedAutoSave: AutoSave {
  private let disk: Disk
  private var text: String?
  private var timer: Task<Void, any Error>?

  package init(disk: Disk) { self.disk = disk }

  package func edit(_ text: String) {
    self.text = text
    timer?.cancel()
    timer = Task {
      try await Task.sleep(for: .seconds(5))
      await save()
    }
  }

  package func saveNow() async {
    timer?.cancel()
    await save()
  }

  private func save() async {
    guard let text else { return }
    self.text = nil
    await disk.save(text)
  }
}
