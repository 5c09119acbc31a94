import CReach
import CVirtualTime
import _EscapementCore

// Events that are drawn besides orders. Each is a decision of the schedule; its default is the
// usual event.

/// Draws one of some events besides the usual one, which is 0, for the scope of the code that calls
/// this; `nil` if it explores nothing.
package func draw(_ count: Int, probability: Double) -> Int? {
  Scope.exploringHere?.draw(count, probability, step: nil)
}

extension Scope {
  /// The scope whose code this thread runs, if it explores schedules.
  static var exploringHere: Scope? {
    guard let scope = onThisThread, scope.isExploring, !cvt_is_lost(), !Reach.isHeld else {
      return nil
    }
    return scope
  }

  /// Draws one of some events besides the usual one, which is 0; always that one if no schedules
  /// are explored.
  ///
  /// - Parameter step: Says what an event is, for reports; `nil` if it is part of what the test does,
  ///   and nothing that disturbs it.
  func draw(_ count: Int, _ probability: Double, step: ((Int) -> String?)?) -> Int {
    guard isExploring else { return 0 }
    return state.withLock { state in
      let now = state.time.now
      return state.exploring?.draw(count, probability, at: now, step: step) ?? 0
    }
  }

  /// The lateness of a timer with a tolerance; 0 if no schedules are explored.
  func lateness(within tolerance: Nanoseconds) -> Nanoseconds {
    guard isExploring, tolerance > 0 else { return 0 }
    let steps = min(4, tolerance)
    func lateness(_ step: Int) -> Nanoseconds {
      let (whole, rest) = tolerance.quotientAndRemainder(dividingBy: steps)
      return whole * Int64(step) + rest * Int64(step) / steps
    }
    return lateness(draw(Int(steps), 0.25) { "a timer is \(lateness($0).duration) late" })
  }

  /// The deadline of a sleep, or a later one within its tolerance.
  @inline(__always) func late(_ deadline: Nanoseconds, _ tolerance: Duration?) -> Nanoseconds {
    guard let tolerance, isExploring else { return deadline }
    return deadline.addingSaturating(lateness(within: Nanoseconds(roundingUp: tolerance)))
  }

  /// Draws an event of a simulated network.
  func draw(_ draw: rch_draw) -> UInt64 {
    withUnsafePointer(to: draw) { draw in
      UInt64(
        self.draw(Int(draw.pointee.count), draw.pointee.probability) { drawn in
          let text = String(unsafeUninitializedCapacity: 256) { text in
            text.withMemoryRebound(to: CChar.self) { text in
              draw.pointee.tell(draw, UInt64(drawn), text.baseAddress!, text.count)
            }
            return text.firstIndex(of: 0) ?? 0
          }
          return text.isEmpty ? nil : text
        })
    }
  }
}
