import Testing

@testable import EscapementVirtualTime

@Suite struct HoldsTests {
  private enum Event: CaseIterable {
    case open, openOfTask, close, closeOfTask, beginSleep, endSleep
  }

  private static var task: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 0x1000)! }

  /// The same, as simple as can be.
  private struct Reference {
    var (plain, ofTask) = (0, 0)
    var sleeps: [UInt32] = []
  }

  @Test func `every sequence of events counts holds, those of a task, and sleeps`() {
    var checked = 0
    func extend(_ holds: Holds, _ reference: Reference, _ depth: Int) {
      checked += 1
      #expect(holds.count == reference.plain + reference.ofTask + reference.sleeps.count)
      #expect(holds.isEmpty == (holds.count == 0))
      #expect(holds.areSleeps == (reference.plain + reference.ofTask == 0))
      #expect(holds.tasks[Self.task] ?? 0 == reference.ofTask)
      guard depth < 6 else { return }
      for event in Event.allCases {
        var (holds, reference) = (holds, reference)
        switch event {
        case .open:
          holds.open(of: nil)
          reference.plain += 1
        case .openOfTask:
          holds.open(of: Self.task)
          reference.ofTask += 1
        case .close:
          guard reference.plain > 0 else { continue }
          holds.close(of: nil)
          reference.plain -= 1
        case .closeOfTask:
          guard reference.ofTask > 0 else { continue }
          holds.close(of: Self.task)
          reference.ofTask -= 1
        case .beginSleep:
          reference.sleeps.append(holds.beginSleep(ReadyJob.standIn(1).job))
        case .endSleep:
          let id = reference.sleeps.isEmpty ? 77 : reference.sleeps.removeFirst()
          let wasUnderWay = holds.endSleep(id) != nil
          #expect(wasUnderWay == (id != 77))
        }
        extend(holds, reference, depth + 1)
      }
    }
    extend(Holds(), Reference(), 0)
    #expect(checked > 5_000)
  }
}
