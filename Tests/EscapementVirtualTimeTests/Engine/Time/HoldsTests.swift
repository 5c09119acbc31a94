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

  @Test(arguments: 0...3)
  func `every sequence of holds of 2 tasks tells the first excess, and makes time stand until then`(
    limit: Int
  ) {
    let tasks = [1, 2].map { TaskDescription(id: $0, name: nil) }
    var checked = 0
    func extend(_ holds: Holds, open: [TaskDescription], excess: [TaskDescription]?, _ depth: Int) {
      checked += 1
      #expect(holds.isEmpty == (excess == nil))
      var told = holds
      #expect(told.takeTooMany() == excess)
      #expect(told.isEmpty && told.takeTooMany() == nil)
      guard depth < 7 else { return }
      for task in tasks {
        var (more, longer) = (holds, open)
        longer.append(task)
        let isFirst = excess == nil && longer.count > limit
        #expect(more.add(task, limit: limit) == isFirst)
        extend(more, open: longer, excess: excess ?? (isFirst ? longer : nil), depth + 1)
        guard let index = open.lastIndex(of: task) else { continue }
        var (fewer, shorter) = (holds, open)
        fewer.remove(task)
        shorter.remove(at: index)
        extend(fewer, open: shorter, excess: excess, depth + 1)
      }
    }
    extend(Holds(), open: [], excess: nil, 0)
    #expect(checked > 1_000)
  }
}
