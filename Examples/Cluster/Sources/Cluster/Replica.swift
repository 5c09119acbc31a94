public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A member of a cluster that keeps a ledger: a list of bookings that survives the loss of a minority of its machines.
///
/// One member leads. It takes bookings, sends them to the others, and confirms each one when most members have it on
/// their disks. When the others do not hear of it for some seconds, they elect the next one.
public actor Replica {
  /// The member does not lead, but another one may.
  public struct DoesNotLead: Error {
    /// Makes the error.
    public init() {}
  }

  private struct Waiter {
    let count, term: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let addresses: [String: String]
  private let journal: any Journal
  private let client: HTTPClient
  private let forgetsToSync: Bool
  private var member: Member
  private var ledger: Ledger
  private var waiters: [Waiter] = []
  /// The end of the newest write, which waits for those before it.
  private var saving: Task<Void, any Error>?
  private let outbox = AsyncStream.makeStream(of: Member.Message.self)

  /// A member that goes on from its journal.
  ///
  /// - Parameters:
  ///   - name: Its name in the cluster.
  ///   - cluster: The names of all members and their addresses, such as `http://alpha:8080`, in the same order
  ///     everywhere; at least two.
  ///   - journal: The records of this member's former lives.
  ///   - client: Sends requests to the other members.
  ///   - flaws: Bugs for tests.
  public init(
    _ name: String, of cluster: [(name: String, address: String)], journal: any Journal,
    client: HTTPClient, flaws: Set<Flaw> = []
  ) async throws {
    precondition(cluster.count > 1 && cluster.contains { $0.name == name })
    addresses = Dictionary(uniqueKeysWithValues: cluster.map { ($0.name, $0.address) })
    self.journal = journal
    self.client = client
    forgetsToSync = flaws.contains(.forgetsToSync)
    let records = try await journal.read().map {
      try JSONDecoder().decode(SavedState.Record.self, from: $0)
    }
    member = Member(
      name: name, cluster: cluster.map(\.name), state: SavedState(records), flaws: flaws, at: .now)
    ledger = Ledger(flaws: flaws)
  }

  /// Takes part in the cluster until the task is cancelled.
  public func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask {
        while (try? await Task.sleep(for: Member.heartbeat)) != nil { await self.tick() }
        await self.end()
      }
      for await message in outbox.stream {
        group.addTask { await self.deliver(message) }
      }
    }
  }

  private func end() {
    outbox.continuation.finish()
    let former = waiters
    waiters = []
    for waiter in former { waiter.continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Clients

  /// Appends a booking, and returns when it is safe.
  ///
  /// The ledger leaves out a booking that it has.
  ///
  /// - Throws: ``DoesNotLead``. The booking may have been appended all the same.
  func book(_ booking: Booking) async throws {
    guard let count = member.book(booking) else { throw DoesNotLead() }
    let term = member.state.term
    send(member.appends(at: .now))
    try await save()
    settle()
    guard member.committed < count || member.state.term != term else { return }
    try await withCheckedThrowingContinuation {
      waiters.append(Waiter(count: count, term: term, continuation: $0))
      settle()
    }
  }

  /// All bookings that are safe.
  ///
  /// - Throws: ``DoesNotLead``.
  func bookings() throws -> [Booking] {
    guard member.mayAnswer(at: .now) else { throw DoesNotLead() }
    return ledger.bookings
  }

  // MARK: Other members

  func receive(_ request: Request) async throws -> Reply {
    let reply = try member.receive(request, at: .now)
    settle()
    try await save()
    return reply
  }

  private func tick() async {
    let messages = member.tick(at: .now)
    settle()
    guard (try? await save()) != nil else { return }
    send(messages)
  }

  private func send(_ messages: [Member.Message]) {
    for message in messages { outbox.continuation.yield(message) }
  }

  /// Sends a message; the next heartbeat makes up for one that gets no answer.
  private func deliver(_ message: Member.Message) async {
    guard let address = addresses[message.receiver],
      let reply: Reply = try? await client.post(message.request, to: address + "/members")
    else { return }
    let messages = member.receive(reply, to: message, at: .now)
    settle()
    guard (try? await save()) != nil else { return }
    settle()
    send(messages)
  }

  // MARK: After each step

  /// Returns when all that the member has changed is on its disk.
  private func save() async throws {
    let lines = try member.takeRecords().map { try JSONEncoder().encode($0) }
    if !lines.isEmpty {
      saving = Task { [saving, journal, forgetsToSync] in
        try await saving?.value
        for line in lines { try await journal.write(line) }
        if !forgetsToSync { try await journal.sync() }
      }
    }
    let (count, term) = (member.state.entries.count, member.state.term)
    // Also if another step has made the changes: nobody must be told of them before.
    try await saving?.value
    member.save(count, inTerm: term)
  }

  /// Shows the bookings that are safe, and answers the clients that have waited for them.
  private func settle() {
    ledger.apply(member.state.entries[ledger.entryCount..<member.committed])
    let (term, committed) = (member.state.term, member.committed)
    let leads = if case .leader = member.role { true } else { false }
    func goesOn(_ waiter: Waiter) -> Bool {
      leads && waiter.term == term && waiter.count > committed
    }
    let done = waiters.filter { !goesOn($0) }
    waiters.removeAll { !goesOn($0) }
    for waiter in done {
      let isSafe = waiter.term == term && waiter.count <= committed
      waiter.continuation.resume(with: isSafe ? .success(()) : .failure(DoesNotLead()))
    }
  }
}

extension HTTPClient {
  /// Sends JSON, and returns the answer to it, which takes a second at most.
  func post<Value: Encodable, Answer: Decodable>(
    _ value: Value, to url: String
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(value)))
    return try await answer(to: request)
  }

  func answer<Answer: Decodable>(to request: HTTPClientRequest) async throws -> Answer {
    let response = try await execute(request, timeout: .seconds(1))
    guard response.status == .ok else { throw Replica.DoesNotLead() }
    let body = try await response.body.collect(upTo: 1 << 24)
    return try JSONDecoder().decode(Answer.self, from: Data(buffer: body))
  }
}
