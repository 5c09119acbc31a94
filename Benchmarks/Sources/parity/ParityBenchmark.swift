import ArgumentParser
import EscapementNetwork
import EscapementVirtualTime
import Foundation

/// A call in a state, tried on this machine and in a simulated network.
struct SocketProgram: Sendable {
  let state: State
  let call: Call

  static var all: [SocketProgram] {
    State.allCases.flatMap { state in Call.all.map { SocketProgram(state: state, call: $0) } }
  }

  /// The answers to the call, and the state of both sockets afterwards.
  private func answers(in world: World) -> [Answer] {
    let sockets = state.make(in: world)
    var answers = call.run(
      (sockets.client, state.isServerClosed ? -1 : sockets.server, sockets.port), world)
    world.settle()
    let isClosed = call.name == "close" || call.name == "reset"
    if !isClosed { answers += world.on(.client) { Call.state(of: sockets.client, "client") } }
    if sockets.server >= 0, !state.isServerClosed {
      answers += world.on(.server) { Call.state(of: sockets.server, "server") }
      close(sockets.server)
    }
    if !isClosed { close(sockets.client) }
    return answers
  }

  func real() -> [Answer] { answers(in: World(hosts: nil)) }

  func simulated() async throws -> [Answer] {
    try await withVirtualTime { _ in
      let network = try SimulatedNetwork()
      network.links.latency = .milliseconds(20)
      let hosts: [Side: SimulatedHost] = [
        .client: network.host("client"), .server: network.host("server"),
      ]
      return answers(in: World(hosts: hosts))
    }
  }

  /// The answers that differ.
  func differences() async throws -> [Difference] {
    let (real, simulated) = (real(), try await simulated())
    guard real.count == simulated.count else {
      return [Difference(program: self, real: real.last!, simulated: simulated.last!)]
    }
    return zip(real, simulated).filter { $0 != $1 }.map {
      Difference(program: self, real: $0, simulated: $1)
    }
  }
}

@main struct ParityBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parity",
    abstract: "Compares sockets of a simulated network with those of the loopback interface.")

  @Option(help: "A part of the names of the states or calls that are tried.")
  var only = ""

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let programs = SocketProgram.all.filter {
      only.isEmpty || "\($0.state.rawValue) \($0.call.name)".contains(only)
    }
    var wrong = 0
    var known: [String: Int] = [:]
    for program in programs {
      // Over a loaded machine's loopback, an answer may come late: what differs is tried again.
      var differences = try await program.differences()
      if !differences.isEmpty { differences = try await program.differences() }
      for reason in Set(differences.compactMap(\.reason)) { known[reason, default: 0] += 1 }
      differences.removeAll { $0.reason != nil }
      if differences.isEmpty { continue }
      wrong += 1
      print("\(program.state.rawValue): \(program.call.name)")
      for difference in differences { print("    \(difference)") }
    }
    for (reason, count) in known.sorted(by: { $0.value > $1.value }) {
      print("\(count) differ as is known: \(reason)")
    }
    print("\(programs.count) programs, \(wrong) wrong.")
    if wrong > 0 { throw ExitCode.failure }
  }
}
