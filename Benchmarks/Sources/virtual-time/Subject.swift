import ArgumentParser

/// What is measured in each shape.
enum Subject: String, CaseIterable, Codable, ExpressibleByArgument {
  // Sleeps.
  case unInjected = "Task.sleep"
  case recorded = "with timeline"
  case testClock = "TestClock"
  case handle = "VirtualTime"

  // Floors: what a sleep cannot do without.
  case bareSleep = "no time"
  case suspension = "suspend and resume"
  case job = "enqueue and run"
  case timerQueue = "timer queue"

  static let sleeps: [Subject] = [.unInjected, .recorded, .testClock, .handle]
}
