// sending value of non-Sendable type '@concurrent () async -> ()' risks causing data races
final class Box { var count = 0 }

func race() {
  let box = Box()
  Task { box.count = 1 }
  box.count = 2
}
