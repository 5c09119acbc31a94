import IssueReporting

extension Problem {
  /// The problem of leftover tasks, if they are one.
  ///
  /// - Parameters:
  ///   - leftovers: The tasks, before they were cancelled.
  ///   - unresponsive: The tasks that have not ended after that.
  ///   - policy: What the scope is to do with them.
  static func leftovers(
    _ leftovers: [Leftover], unresponsive: [Leftover], policy: VirtualTimeOptions.Leftovers
  ) -> Problem? {
    // Hosts end with the body, as machines that are switched off.
    let leftovers = leftovers.filter { !$0.isOfHost }
    let unresponsive = unresponsive.filter { !$0.isOfHost }
    let reported =
      switch policy {
      case .ignore: [] as [Leftover]
      case .fail: leftovers
      case .warn: leftovers.filter { unresponsive.isEmpty ? $0.goesOnByItself : true }
      }
    guard !reported.isEmpty else { return nil }
    return Problem(severity: policy == .fail || !unresponsive.isEmpty ? .error : .warning) { _ in
      """
      \(reported.count) \(reported.count == 1 ? "task was" : "tasks were") left over when the body \
      of the virtual-time scope ended:
      \(bullets(reported))

      The scope has cancelled \(reported.count == 1 ? "it" : "them"). In an app, such a task would \
      go on. Cancel or await each task before the body ends, or choose 'leftovers: .ignore'.\
      \(paragraph(on: unresponsive))
      """
    }
  }

  private static func paragraph(on unresponsive: [Leftover]) -> String {
    guard !unresponsive.isEmpty else { return "" }
    let reason =
      unresponsive.contains { $0.place?.isInNetwork == true }
      ? """
      A task waits for a network request, which takes real time also when it is cancelled. Stub the \
      request, or wrap it in 'hold { }' of the scope's handle.
      """
      : """
      A loop may discard CancellationError, as 'try? await Task.sleep' does. Or a task waits for a \
      continuation that is not resumed on cancellation. Let each task end when it is cancelled.
      """
    return """


      These tasks have not ended after their cancellation, and the scope has abandoned them:
      \(bullets(unresponsive))

      \(reason)
      """
  }
}
