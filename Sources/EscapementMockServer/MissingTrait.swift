#if !MockServer
  /// Replaces the function of this name while the package trait `MockServer` is disabled.
  @available(
    *, unavailable,
    message: "Enable the package trait: .package(url: ..., traits: [\"MockServer\"])"
  )
  public func withMockServer(_ body: Never) {}
#endif
