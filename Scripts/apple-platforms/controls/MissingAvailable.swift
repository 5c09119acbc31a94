// 'ExecutorJob' is only available in macOS 14.0 or newer
final class Inline: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {}
}
