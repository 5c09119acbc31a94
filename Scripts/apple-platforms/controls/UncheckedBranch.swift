// 'immediate(name:priority:executorPreference:operation:)' is only available in macOS 26.0 or newer
func start() {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
    Task.immediate {}
  }
}
