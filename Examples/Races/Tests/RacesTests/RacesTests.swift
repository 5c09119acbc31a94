import EscapementTesting
import Races
import Testing

@Suite(.serialized) struct RacesTests {
  @Test func `two callers make one token request`() async throws {
    @Sendable func scenario(_ type: (some TokenStore).Type) async throws {
      let requests = Analytics()
      let store = type.init(analytics: Analytics()) {
        await requests.log("request")
        return "token"
      }
      async let first = store.token()
      async let second = store.token()
      _ = try await (first, second)
      let count = await requests.events.count
      try check(count == 1, "\(count) requests")
    }
    try await expectRace {
      try await scenario(RacyTokenStore.self)
    } butNotIn: {
      try await scenario(FixedTokenStore.self)
    }
  }

  @Test func `no withdrawal is lost`() async throws {
    @Sendable func scenario(
      _ withdraw: @escaping @Sendable (Int, Account) async throws -> Void
    ) async throws {
      let account = Account(balance: 100)
      async let first: Void = withdraw(30, account)
      async let second: Void = withdraw(50, account)
      _ = try await (first, second)
      let balance = await account.balance
      try check(balance == 20, "\(balance) is left")
    }
    try await expectRace {
      try await scenario(racyWithdrawal)
    } butNotIn: {
      try await scenario(fixedWithdrawal)
    }
  }

  @Test func `a pool stays below its limit`() async throws {
    @Sendable func scenario(_ type: (some ConnectionPool).Type) async throws {
      let pool = type.init(limit: 2, analytics: Analytics())
      await withTaskGroup { group in
        for _ in 1...4 { group.addTask { await pool.open() } }
      }
      let count = await pool.openCount
      try check(count == 2, "\(count) connections")
    }
    try await expectRace {
      try await scenario(RacyConnectionPool.self)
    } butNotIn: {
      try await scenario(FixedConnectionPool.self)
    }
  }

  @Test func `a player does what was asked for last`() async throws {
    @Sendable func scenario(_ type: (some PlayerControls).Type) async throws {
      let engine = AudioEngine()
      let controls = type.init(engine: engine)
      controls.play()
      controls.pause()
      await controls.finish()
      let isPlaying = await engine.isPlaying
      try check(!isPlaying, "it plays")
    }
    try await expectRace {
      try await scenario(RacyPlayerControls.self)
    } butNotIn: {
      try await scenario(FixedPlayerControls.self)
    }
  }

  @Test func `no profile is shown after signing out`() async throws {
    @Sendable func scenario(_ type: (some Session).Type) async throws {
      let session = type.init(server: ProfileServer())
      async let signIn: Void = session.signIn("Ada")
      async let signOut: Void = session.signOut()
      _ = await (signIn, signOut)
      let (user, profile) = await (session.user, session.profile)
      try check((user == nil) == (profile == nil), "\(profile ?? "") without a user")
    }
    try await expectRace {
      try await scenario(RacySession.self)
    } butNotIn: {
      try await scenario(FixedSession.self)
    }
  }

  @Test func `one task at a time has the lock`() async throws {
    @Sendable func scenario(_ type: (some AsyncLock).Type) async throws {
      let (lock, inside) = (type.init(), Analytics())
      try await withThrowingTaskGroup { group in
        for number in 1...3 {
          group.addTask {
            await lock.lock()
            await inside.log("in \(number)")
            await inside.log("out \(number)")
            await lock.unlock()
          }
        }
        try await group.waitForAll()
      }
      let events = await inside.events
      for index in stride(from: 0, to: events.count, by: 2) {
        try check(events[index].dropFirst(3) == events[index + 1].dropFirst(4), "\(events)")
      }
    }
    try await expectRace {
      try await scenario(RacyAsyncLock.self)
    } butNotIn: {
      try await scenario(FixedAsyncLock.self)
    }
  }

  @Test func `a wait for a message can be cancelled at any time`() async throws {
    @Sendable func scenario(_ type: (some Inbox).Type) async throws {
      let inbox = type.init(store: MessageStore())
      let reader = Task { try await inbox.next() }
      await Task.yield()
      reader.cancel()
      _ = await reader.result
    }
    try await expectRace {
      try await scenario(RacyInbox.self)
    } butNotIn: {
      try await scenario(FixedInbox.self)
    }
  }

  @Test func `a cancelled waiter does not enter`() async throws {
    @Sendable func scenario(_ type: (some CancellableLock).Type) async throws {
      let lock = type.init()
      try await lock.lock()
      let waiter = Task {
        try await lock.lock()
        // Nothing suspends between the lock and this.
        let isCancelled = Task.isCancelled
        await lock.unlock()
        return isCancelled
      }
      try await Task.sleep(for: .seconds(1))
      waiter.cancel()
      await Task.yield()
      await lock.unlock()
      let hasEntered = try? await waiter.value
      try check(hasEntered != true, "it has entered")
    }
    try await expectRace {
      try await scenario(RacyCancellableLock.self)
    } butNotIn: {
      try await scenario(FixedCancellableLock.self)
    }
  }

  @Test func `a text is saved once`() async throws {
    @Sendable func scenario(_ type: (some AutoSave).Type) async throws {
      let disk = Disk()
      let document = type.init(disk: disk)
      await document.edit("text")
      let user = Task {
        try await Task.sleep(for: .seconds(5))
        await document.saveNow()
      }
      try await user.value
      try await Task.sleep(for: .seconds(5))
      let saves = await disk.saves
      try check(saves.count == 1, "\(saves.count) saves")
    }
    try await expectRace {
      try await scenario(RacyAutoSave.self)
    } butNotIn: {
      try await scenario(FixedAutoSave.self)
    }
  }

  @Test func `no price is missed`() async throws {
    @Sendable func scenario(
      _ latestPrice: @escaping @Sendable (PriceFeed, @Sendable (Int) -> Void) async -> Int
    ) async throws {
      let feed = PriceFeed(price: 1)
      async let latest = latestPrice(feed) { _ in }
      async let publishing: Void = feed.publish(2)
      await publishing
      try await Task.sleep(for: .seconds(1))
      await feed.close()
      let price = await latest
      try check(price == 2, "the price is \(price)")
    }
    try await expectRace {
      try await scenario(racyLatestPrice)
    } butNotIn: {
      try await scenario(fixedLatestPrice)
    }
  }

  @Test func `no job runs after the queue was shut down`() async throws {
    @Sendable func scenario(_ type: (some JobQueue).Type) async throws {
      let (queue, log) = (type.init(analytics: Analytics()), Analytics())
      async let accepted = queue.submit { await log.log("job") }
      async let closing: Void = {
        await queue.shutDown()
        await log.log("closed")
      }()
      _ = await (accepted, closing)
      try await Task.sleep(for: .seconds(1))
      let events = await log.events
      try check(events.last == "closed", "\(events)")
    }
    try await expectRace {
      try await scenario(RacyJobQueue.self)
    } butNotIn: {
      try await scenario(FixedJobQueue.self)
    }
  }

  @Test func `no signal is lost`() async throws {
    @Sendable func scenario(_ type: (some Semaphore).Type) async throws {
      let semaphore = type.init(value: 0, analytics: Analytics())
      async let waiting: Void = semaphore.wait()
      async let signalling: Void = semaphore.signal()
      _ = await (waiting, signalling)
    }
    try await expectRace {
      try await scenario(RacySemaphore.self)
    } butNotIn: {
      try await scenario(FixedSemaphore.self)
    }
  }

  @Test func `a reminder that was dismissed is not shown`() async throws {
    @Sendable func scenario(_ type: (some Reminder).Type) async throws {
      let reminder = type.init()
      await reminder.start(after: .seconds(10))
      let user = Task {
        try await Task.sleep(for: .seconds(10))
        return await reminder.dismiss()
      }
      let wasDismissed = try await user.value
      try await Task.sleep(for: .seconds(1))
      let count = await reminder.shownCount
      try check(count == (wasDismissed ? 0 : 1), "dismissed, and shown \(count) times")
    }
    try await expectRace {
      try await scenario(RacyReminder.self)
    } butNotIn: {
      try await scenario(FixedReminder.self)
    }
  }

  @Test func `progress does not fall`() async throws {
    @Sendable func scenario(_ type: (some Download).Type) async throws {
      let view = ProgressView()
      let download = type.init(partCount: 4, view: view)
      await withTaskGroup { group in
        for _ in 1...4 { group.addTask { await download.partArrived() } }
      }
      let shown = await view.shown
      try check(shown == ["25 %", "50 %", "75 %", "100 %"], "\(shown)")
    }
    try await expectRace {
      try await scenario(RacyDownload.self)
    } butNotIn: {
      try await scenario(FixedDownload.self)
    }
  }

  @Test func `cancelling the caller cancels the operation`() async throws {
    @Sendable func scenario(_ type: (some TaskScheduler).Type) async throws {
      let scheduler = type.init(analytics: Analytics())
      let caller = Task {
        await scheduler.run { try? await Task.sleep(for: .seconds(60)) }
      }
      await Task.yield()
      let start = VirtualTime.current?.now
      caller.cancel()
      await caller.value
      try check(VirtualTime.current?.now == start, "the operation was not cancelled")
    }
    try await expectRace {
      try await scenario(RacyTaskScheduler.self)
    } butNotIn: {
      try await scenario(FixedTaskScheduler.self)
    }
  }
}
