@_spi(ExperimentalCustomExecutors) import _Concurrency
import _EscapementCore

/// The executors of this process, which give a scope what belongs to it.
///
/// The runtime asks two objects to run jobs: the default executor, and the main actor's. These take
/// their places, once and for the rest of the process, and pass on all that belongs to no scope.
enum Executors: ExecutorFactory {
  static let global = GlobalExecutor(passingOnTo: Task.defaultExecutor)
  static let main = MainExecutor(passingOnTo: MainActor.executor)

  static var mainExecutor: any _Concurrency.MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { global }

  /// Puts the executors into place.
  ///
  /// The runtime keeps them in plain variables. So this runs when the first scope starts, and not
  /// from several threads.
  static func install() { _ = installed }

  private static let installed: Void = {
    _ = global
    _ = main
    _createExecutors(factory: Executors.self)
    SettlingScope.find { Scope.current }
  }()
}
