#if MockServer
  /// Why a mock server does not start.
  public enum MockServerError: Error, Equatable, CustomStringConvertible {
    /// Somebody listens at the port already, or it has not been free for long enough.
    case portInUse(UInt16)
    /// The system does not let the server listen at the port.
    case cannotListen(port: UInt16, reason: String)

    /// What happened, and what to do.
    public var description: String {
      switch self {
      case .portInUse(let port):
        """
        The mock server cannot listen at the port \(port), which is in use. Leave the port out: the \
        server then takes one that is free, and tells it with 'url'.
        """
      case .cannotListen(let port, let reason):
        "The mock server cannot listen at the port \(port) of 127.0.0.1: \(reason)."
      }
    }
  }
#endif
