import EscapementDoubles
import EscapementMockHTTP
import EscapementTesting
import Foundation
import TestSupport
import Testing
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Repeats what would crash or hang `URLSession` on Linux if the transport had races.
@Suite(.doubles) struct HammerTests {
  /// Times out after an hour, since a busy machine may need more than the usual minute.
  private var patient: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 3_600
    return configuration
  }

  @Test func `many sessions at once each get their own ten answers in chunks`() async throws {
    let wrong = await withTaskGroup { group in
      for number in 0..<100 {
        let http = MockHTTP()
        http.stub(.get, "/parts/:index") { request in
          await Task.yield()
          let parts = ["\(number)", "-", request["index"] ?? "", "-end"]
          return .chunks(parts.map { Data($0.utf8) })
        }
        let session = http.makeSession(configuration: patient)
        for index in 0..<10 {
          group.addTask {
            let url = URL(string: "https://example.com/parts/\(index)")!
            let body = try? await session.data(from: url).0
            return body == Data("\(number)-\(index)-end".utf8) ? 0 : 1
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test func `many requests at once on one session get their answers`() async throws {
    let http = MockHTTP()
    http.stub(.get, "/:round/:index") { request in
      .text("\(request["round"] ?? "") \(request["index"] ?? "")")
    }
    let session = http.makeSession(configuration: patient)
    var wrong = 0
    for round in 0..<20 {
      wrong += await withTaskGroup { group in
        for index in 0..<100 {
          group.addTask {
            let url = URL(string: "https://example.com/\(round)/\(index)")!
            let body = try? await session.data(from: url).0
            return body == Data("\(round) \(index)".utf8) ? 0 : 1
          }
        }
        return await group.reduce(0, +)
      }
    }
    #expect(wrong == 0)
    #expect(http.requests.count == 2_000)
  }

  @Test func `a request cancelled at a random moment ends exactly once`() async throws {
    var random = SplitMix64(seed: 5_412)
    let http = MockHTTP()
    http.stub(.get, "/now", returns: .text("now"))
    http.stub(.get, "/later") { _ in
      await Task.yield()
      return .chunks([Data("la".utf8), Data("ter".utf8)])
    }
    http.stub(.get, "/never", returns: .never)
    // No limit of real time, which a slow machine could reach.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 86_400
    let session = http.makeSession(configuration: configuration)
    var ends: [End: Int] = [:]
    for _ in 0..<20 {
      let kinds = (0..<100).map { _ in Int(random.next() % 8) }
      let patience = Int(random.next() % 200)
      await withTaskGroup { group in
        for kind in kinds {
          let path = kind == 0 ? "never" : kind < 4 ? "later" : "now"
          group.addTask { await self.end(of: path, session) }
        }
        for _ in 0..<patience { await Task.yield() }
        group.cancelAll()
        for await end in group { ends[end, default: 0] += 1 }
      }
    }
    #expect(ends[.answered, default: 0] + ends[.cancelled, default: 0] == 2_000, "\(ends)")
    #expect(ends[.answered, default: 0] > 0 && ends[.cancelled, default: 0] > 0, "\(ends)")
  }

  private enum End: Hashable { case answered, cancelled, failed(String) }

  private func end(of path: String, _ session: URLSession) async -> End {
    do {
      let (body, _) = try await session.data(from: URL(string: "https://example.com/\(path)")!)
      return body == Data(path.utf8) ? .answered : .failed(String(decoding: body, as: UTF8.self))
    } catch let error as URLError where error.code == .cancelled {
      return .cancelled
    } catch {
      return .failed("\(error)")
    }
  }
}
