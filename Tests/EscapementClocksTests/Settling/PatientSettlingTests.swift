import Synchronization
import Testing

@testable import EscapementClocks

@Suite struct PatientSettlingTests {
  @Test func `settling repeats the step until it returns false`() async {
    let steps = Counter()
    let settling = PatientSettling { SleepActivity(armed: 0, ended: 0, returned: 0) }
    await settling.repeatWhenIdle { steps.increment() < 5 }
    #expect(steps.value == 5)
  }

  @Test func `a task that a step has woken runs before the next step`() async {
    // Each step starts a task that ends after a hop to the main actor and back.
    let begun = Counter()
    let done = Counter()
    let settling = PatientSettling {
      SleepActivity(armed: 0, ended: begun.value, returned: done.value)
    }
    await settling.repeatWhenIdle {
      #expect(begun.value == done.value)
      guard begun.value < 20 else { return false }
      begun.increment()
      Task.detached {
        await MainActor.run {}
        done.increment()
      }
      return true
    }
    #expect(done.value == 20)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func increment() -> Int {
      count.add(1, ordering: .sequentiallyConsistent).newValue
    }
  }
}
