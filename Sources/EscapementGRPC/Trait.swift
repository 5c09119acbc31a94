#if GRPC
  @_exported public import Escapement
#else
  /// Stands in for the interceptor of this name while the package trait `GRPC` is disabled.
  @available(
    *, unavailable,
    message: "Enable the package trait: .package(url: ..., traits: [\"GRPC\"])"
  )
  public enum CircuitBreakerInterceptor {}
#endif
