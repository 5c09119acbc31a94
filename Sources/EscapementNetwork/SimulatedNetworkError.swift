/// Why a scope cannot have a ``SimulatedNetwork``, or a host of it.
public enum SimulatedNetworkError: Error, Hashable {
  /// The code belongs to no scope of virtual time, or a hold lets it run in real time.
  case noScope
  /// The queues and threads of the scope are real, by its options or because the platform does not
  /// allow virtual ones.
  case queuesAndThreadsAreReal
  /// The scope has a network already.
  case scopeHasNetwork
  /// The kernel has no numbers for its sockets (`SO_COOKIE`), or no files are left.
  case noSockets
  /// The network has 32,768 hosts, or its hosts have had 65,535 lives.
  case tooManyHosts
  /// The host belongs to the network of another scope, or its scope has ended.
  case hostOfOtherScope
}

extension SimulatedNetworkError: CustomStringConvertible {
  /// Says what is missing, and what to do.
  public var description: String {
    switch self {
    case .noScope:
      """
      A simulated network belongs to a scope of virtual time, and this code belongs to none. Make it in a test \
      with the trait '.virtualTime', or in 'withVirtualTime { }', and not in 'hold { }'.
      """
    case .queuesAndThreadsAreReal:
      """
      A simulated network needs virtual queues and threads, and those of this scope are real. Either its options \
      say so ('queuesAndThreads: .real'), or this process cannot have virtual ones: that takes Linux, and a Swift \
      standard library that is linked dynamically. 'VirtualTime.virtualizesQueuesAndThreads' tells.
      """
    case .scopeHasNetwork:
      "The scope has a simulated network already. Make one for each scope, and its hosts by name."
    case .noSockets:
      """
      A simulated network needs a kernel that numbers its sockets ('SO_COOKIE', since Linux 4.6), and two files \
      that this process may still open.
      """
    case .tooManyHosts:
      "A simulated network has up to 32,768 hosts, which have up to 65,535 lives together."
    case .hostOfOtherScope:
      """
      This code does not belong to the scope of the host's network: the scope has ended, or another test has made \
      the host, or the code is in 'hold { }'. Make the network and its hosts in each test.
      """
    }
  }
}
