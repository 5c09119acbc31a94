#if MockServer
  import Testing

  @testable import EscapementMockServer

  @Suite struct ServedRequestStateMachineTests {
    private enum Event: CaseIterable {
      case begin, arrive, end, cancel, clientLeaves
    }

    /// The expected results of some events, computed without the machine.
    private struct Expected {
      var begins: [Bool] = []
      var countsWhenItArrives: [Bool] = []
      var cancelled: [(task: Bool, counts: Bool)] = []

      init(_ events: [Event]) {
        for (index, event) in events.enumerated() {
          let before = events[..<index]
          let firstCancel = before.firstIndex { $0 == .cancel || $0 == .clientLeaves }
          let begin = before.firstIndex(of: .begin)
          // The last part only goes out if the request has been handed over, and was not cancelled before.
          let isEnding = before.indices.contains { end in
            events[end] == .end && (begin.map { $0 < end } ?? false)
              && !(firstCancel.map { $0 < end } ?? false)
          }
          switch event {
          case .begin: begins.append(firstCancel == nil)
          case .arrive:
            let wasLeft = firstCancel.map { events[$0] == .clientLeaves } ?? false
            countsWhenItArrives.append(wasLeft && !isEndingAt(firstCancel, events, begin))
          case .end: break
          case .cancel, .clientLeaves:
            if isEnding {
              cancelled.append((true, false))
            } else if firstCancel != nil || begin == nil {
              cancelled.append((false, false))
            } else {
              cancelled.append((true, event == .clientLeaves && before.contains(.arrive)))
            }
          }
        }
      }

      private func isEndingAt(_ cancel: Int?, _ events: [Event], _ begin: Int?) -> Bool {
        guard let cancel, let begin else { return false }
        return events[..<cancel].indices.contains { events[$0] == .end && $0 > begin }
      }
    }

    @Test func `a cancellation by the client counts at most once, in every order of events`() async
    {
      let task = Task {}
      for length in 0...5 {
        var sequences: [[Event]] = [[]]
        for _ in 0..<length {
          sequences = sequences.flatMap { sequence in Event.allCases.map { sequence + [$0] } }
        }
        // A task begins once, and a stub gets the request once, after that.
        for events in sequences
        where events.count(where: { $0 == .begin }) <= 1
          && events.count(where: { $0 == .arrive }) <= 1
          && (events.firstIndex(of: .arrive) ?? .max) >= (events.firstIndex(of: .begin) ?? .max)
        {
          var state = ServedRequestStateMachine<Int>()
          let expected = Expected(events)
          var begins: [Bool] = []
          var counts: [Bool] = []
          var cancelled: [(Bool, Bool)] = []
          for event in events {
            switch event {
            case .begin: begins.append(state.begin(task))
            case .arrive: counts.append(state.arrive(1))
            case .end: state.end()
            case .cancel, .clientLeaves:
              let result = state.cancel(byClient: event == .clientLeaves)
              cancelled.append((result.task != nil, result.arrival != nil))
            }
          }
          #expect(begins == expected.begins, "\(events)")
          #expect(counts == expected.countsWhenItArrives, "\(events)")
          #expect(cancelled.elementsEqual(expected.cancelled, by: ==), "\(events)")
          #expect((state.task != nil) == events.contains(.begin), "\(events)")
          #expect(cancelled.count { $0.1 } + counts.count { $0 } <= 1, "\(events)")
        }
      }
    }
  }
#endif
