public import Escapement

/// Starts the work of the app when it is launched.
@MainActor
public struct AppDelegate {
  private let isHostingTests: Bool
  private let startWork: () -> Void

  /// Creates the delegate.
  ///
  /// - Parameters:
  ///   - isHostingTests: Whether the app was launched to host tests.
  ///   - startWork: Shows the first screen and sends the first request.
  public init(isHostingTests: Bool = TestRun.isActive, startWork: @escaping () -> Void) {
    self.isHostingTests = isHostingTests
    self.startWork = startWork
  }

  /// Starts the work of the app, unless the app hosts tests: the work would delay and disturb them.
  public func didFinishLaunching() {
    guard !isHostingTests else { return }
    startWork()
  }
}
