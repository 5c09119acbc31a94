// runtime support for '@isolated(any)' function types is only available in macOS 15.0.0 or newer
func call(_ body: @escaping @Sendable @isolated(any) () -> Void) {
  unsafeBitCast(body, to: (@Sendable () -> Void).self)()
}
