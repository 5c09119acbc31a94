#if MockServer
  /// A mock server could not start.
  public enum MockServerError: Error, Equatable, CustomStringConvertible {
    /// The port is in use, or was in use until a moment ago.
    case portInUse(UInt16)
    /// The system did not allow the server to listen at the port.
    case cannotListen(port: UInt16, reason: String)

    /// The event, its likely cause, and the remedy.
    public var description: String {
      switch self {
      case .portInUse(let port):
        """
        The mock server cannot listen at the port \(port), because the port is in use.

        Another process or another test may use it. Do not pass a port: the server then chooses a free \
        one, which is part of its 'url'.
        """
      case .cannotListen(let port, let reason):
        """
        The mock server cannot listen at the port \(port) of 127.0.0.1: \(reason).

        The system may not allow this port. Do not pass a port: the server then chooses a free one.
        """
      }
    }
  }
#endif
