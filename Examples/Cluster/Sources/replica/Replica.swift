import AsyncHTTPClient
import Cluster
import Foundation

/// One member of a cluster on this machine.
///
/// The first of three:
///
///     swift run replica 0 8080 8081 8082
@main struct Program {
  static func main() async throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard let index = numbers.first, (0..<numbers.count - 1).contains(index), numbers.count > 2
    else {
      print("usage: replica <its number, from 0> <port> <port> <port> ...")
      exit(64)
    }
    let ports = Array(numbers.dropFirst())
    let cluster = ports.map { (name: "\($0)", address: "http://127.0.0.1:\($0)") }
    let client = HTTPClient.shared
    let replica = try await Replica(
      "\(ports[index])", of: cluster,
      journal: FileJournal(URL(filePath: "ledger-\(ports[index]).jsonl")), client: client)
    try await replica.serve("127.0.0.1", port: ports[index], on: client.eventLoopGroup)
  }
}
