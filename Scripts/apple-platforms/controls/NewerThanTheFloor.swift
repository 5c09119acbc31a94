// 'Mutex' is only available in macOS 15.0 or newer
import Synchronization

final class Counter: Sendable {
  let count = Mutex(0)
}
