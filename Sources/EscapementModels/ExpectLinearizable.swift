import EscapementVirtualTime
import IssueReporting
import _EscapementCore

/// Lets clients make calls of an object side by side, and fails the test if no order of these calls
/// gives their answers.
///
/// In a test that explores schedules, the calls are drawn with the order of tasks and the faults of
/// a network, and are part of the schedule. So a wrong object is found, its calls become few and
/// small with the schedule, and one line replays it:
///
///     @Test(.virtualTime(order: .exploring(1_000)))
///     func `the cache is linearizable`() async {
///       let cache = Cache()
///       await expectLinearizable(Register(), clients: 3, each: 5) { random in
///         Bool.random(using: &random) ? .set(.random(in: 0...3, using: &random)) : .get
///       } perform: { call, _ in
///         await cache.perform(call)
///       }
///     }
///
/// The lowest numbers of the generator give the smallest calls: `.random(in: 0...3)` becomes 0,
/// `randomElement()` the first one, and calls are left out. In a test that explores nothing, one
/// fixed set of calls is made.
///
/// - `model`: Gives the object's answers if its calls come one after the other.
/// - `clients`: So many make calls at the same time, at least one.
/// - `count`: Each client makes so many calls at most, one after the other; at least one.
/// - `rest`: How long a client rests before each call, also before one that is left out, so that
///   calls spread over the time in which faults strike. Where schedules are explored, the time is
///   drawn, from zero to twice as long.
/// - `fileID`, `filePath`, `line`, `column`: The place at which the test fails; by default that of
///   the caller.
/// - `calls`: Makes a call. Up to four numbers of the generator become small.
/// - `perform`: Makes a call of the object for the client with a number from 0 on. If it throws, the
///   call may have happened, at any time since it began, or not.
public func expectLinearizable<M: Model>(
  _ model: M, clients: Int = 3, each count: Int = 5, restingFor rest: Duration = .zero,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, calls: (inout DrawnNumbers) -> M.Call,
  perform: @escaping @Sendable (M.Call, Int) async throws -> M.Answer
) async {
  guard clients > 0, count > 0 else {
    return reportIssue(
      "There cannot be \(clients) clients with \(count) calls each.", fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
  let all = (0..<clients).map { client in drawCalls(count, by: client, calls) }
  let rests = (0..<clients).map { _ in drawRests(count, of: rest) }
  let recorder = HistoryRecorder<M.Call, M.Answer>()
  await withTaskGroup { group in
    for (client, calls) in all.enumerated() {
      group.addTask(name: "client \(client)") {
        var name = "client \(client)"
        for (call, rest) in zip(calls, rests[client]) {
          if rest > .zero { try? await Task.sleep(for: rest) }
          guard let call else { continue }
          do {
            _ = try await recorder.record(call, by: name) { try await perform($0, client) }
          } catch {
            // A call without an answer stays under way. The client goes on as another one.
            name += "'"
          }
        }
      }
    }
  }
  expectLinearizable(
    recorder.history, as: model, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Fails the test if no order of the calls of a history gives their answers.
///
/// - `history`: Calls that were made before, by a ``HistoryRecorder`` or by hand.
/// - `model`: Gives the answers if the calls come one after the other.
/// - `fileID`, `filePath`, `line`, `column`: The place at which the test fails; by default that of
///   the caller.
public func expectLinearizable<M: Model>(
  _ history: History<M.Call, M.Answer>, as model: M, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let problem: String
  switch model.check(history) {
  case .right: return
  case .wrong(let violation): problem = "\(violation)"
  case .unknown:
    problem = """
      Whether \(history.entries.count) calls are linearizable is unknown after 10,000,000 steps. Make fewer calls at \
      the same time, or give the model a 'key(of:)'.
      """
  }
  reportIssue(problem, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Draws the calls of a client; `nil` for those that are left out.
private func drawCalls<Call>(
  _ count: Int, by client: Int, _ make: (inout DrawnNumbers) -> Call
) -> [Call?] {
  (0..<count).map { number in
    var numbers = DrawnNumbers(seed: UInt64(client * count + number))
    let call = make(&numbers)
    // The usual event, which a small schedule has, is that the call is left out.
    let isLeftOut = draw(1, probability: 0.75) == 0
    return isLeftOut ? nil : call
  }
}

/// Draws how long a client rests before each of its calls.
///
/// That is one decision for each client. If it is the usual one, the client always rests as long.
private func drawRests(_ count: Int, of rest: Duration) -> [Duration] {
  let number = rest > .zero ? drawNumber() ?? 0 : 0
  var random = SplitMix64(seed: UInt64(number))
  return (0..<count).map { _ in
    number == 0 ? rest : rest / 1000 * Int.random(in: 0...2000, using: &random)
  }
}
