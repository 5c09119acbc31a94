import ArgumentParser
import BenchmarkSupport
import EscapementModels
import Foundation

@main struct HistoriesBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "histories",
    abstract: "Checks histories of real systems whose verdicts are known, and measures that.",
    discussion: """
      The histories are those that come with Porcupine: 'test_data' in a checkout of github.com/anishathalye/porcupine. \
      Its own figures: 'go test -run "TestEtcdJepsen|TestKv[0-9]" -v' there.
      """)

  @Argument(help: "The folder 'test_data', with the folders 'jepsen' and 'kv'.")
  var folder: String

  @Option(help: "How many times each history is checked; the fastest one counts.")
  var rounds = 5

  func run() throws {
    let etcd = try files(in: "jepsen").map { file in
      let (history, isRight) = (try EtcdLog.history(of: file.text), EtcdLog.isRight(file.name))
      return Result(
        name: file.name, calls: history.entries.count, isRight: isRight,
        measured(rounds) { Register().isRight(history) })
    }
    let stores = try files(in: "kv").map { file in
      let history = try StoreLog.history(of: file.text)
      return Result(
        name: file.name, calls: history.entries.count, isRight: file.name.hasSuffix("-ok.txt"),
        measured(rounds) { Text().isRight(history) })
    }
    let all = etcd + stores
    for result in all.sorted(by: { $0.time > $1.time }).prefix(8) { print(result) }
    print(
      "etcd: \(etcd.count) histories in \(etcd.time); stores: \(stores.count) in \(stores.time)")
    let wrong = all.filter { !$0.agrees }
    print("\(wrong.count) verdicts of \(all.count) differ from the known ones")
    for result in wrong { print(result) }
    guard wrong.isEmpty, !etcd.isEmpty, !stores.isEmpty else { throw ExitCode.failure }
  }

  private func files(in name: String) throws -> [(name: String, text: String)] {
    let path = folder + "/" + name
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
      ($0, try String(contentsOfFile: path + "/" + $0, encoding: .utf8))
    }.filter { !$0.text.isEmpty }
  }
}

/// The verdict on one history, and its time.
private struct Result: CustomStringConvertible {
  let name: String
  let calls: Int
  /// The verdict that is known.
  let isRight: Bool
  /// The verdict that was found; `nil` if it is unknown.
  let verdict: Bool?
  let time: Duration

  init(name: String, calls: Int, isRight: Bool, _ found: (verdict: Bool?, time: Duration)) {
    (self.name, self.calls, self.isRight) = (name, calls, isRight)
    (verdict, time) = found
  }

  var agrees: Bool { verdict == isRight }

  var description: String {
    let said = verdict.map { $0 ? "right" : "wrong" } ?? "unknown"
    return "\(name): \(calls) calls, \(said), \(time)"
  }
}

extension [Result] {
  fileprivate var time: Duration { reduce(.zero) { $0 + $1.time } }
}

/// The verdict of a check, and the shortest time that it took.
private func measured(
  _ rounds: Int, _ check: () -> Bool?
) -> (verdict: Bool?, time: Duration) {
  var verdict: Bool?
  let times = (0..<max(1, rounds)).map { _ in
    ContinuousClock().measure { verdict = check() }
  }
  return (verdict, times.min() ?? .zero)
}

extension Model {
  fileprivate func isRight(_ history: History<Call, Answer>) -> Bool? {
    switch check(history) {
    case .right: true
    case .wrong: false
    case .unknown: nil
    }
  }
}
