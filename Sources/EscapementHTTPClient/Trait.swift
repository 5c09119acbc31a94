#if AsyncHTTPClient
  @_exported public import Escapement
#else
  /// Stands in for the client of this name while the package trait `AsyncHTTPClient` is disabled.
  @available(
    *, unavailable,
    message: "Enable the package trait: .package(url: ..., traits: [\"AsyncHTTPClient\"])"
  )
  public enum ResilientHTTPClient {}
#endif
