/// Why a scope cannot have a ``SimulatedNetwork``.
public enum SimulatedNetworkError: Error, Hashable {
  /// The code belongs to no scope of virtual time whose queues and threads are virtual.
  case noScope
  /// The scope has a network already.
  case scopeHasNetwork
  /// The kernel has no numbers for its sockets (`SO_COOKIE`), or no files are left.
  case noSockets
}

extension SimulatedNetworkError: CustomStringConvertible {
  /// Says what is missing, and what to do.
  public var description: String {
    switch self {
    case .noScope:
      """
      A simulated network belongs to a scope of virtual time, and this code belongs to none. Make it in a test \
      with the trait '.virtualTime', or in 'withVirtualTime { }'. It needs Linux, and virtual queues and \
      threads.
      """
    case .scopeHasNetwork:
      "The scope has a simulated network already. Make one for each scope, and its hosts by name."
    case .noSockets:
      """
      A simulated network needs a kernel that numbers its sockets ('SO_COOKIE', since Linux 4.6), and two files \
      that this process may still open.
      """
    }
  }
}
