#if Hummingbird
  @_exported public import Escapement
#else
  /// Stands in for the middleware of this name while the package trait `Hummingbird` is disabled.
  @available(
    *, unavailable,
    message: "Enable the package trait: .package(url: ..., traits: [\"Hummingbird\"])"
  )
  public enum QuotaMiddleware {}
#endif
