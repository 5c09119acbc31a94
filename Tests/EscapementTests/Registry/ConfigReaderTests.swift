#if Configuration
  import Configuration
  import Escapement
  import EscapementTesting
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct ConfigReaderTests {
    @Test func `numbers come from a configuration, whole ones and others`() throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let provider = InMemoryProvider(values: [
        "blocks.shop.percent": 30, "blocks.shop.openDuration": 1.5,
      ])
      let config = ConfigReader(provider: provider).scoped(to: "blocks")
      let breaker = try BlockRegistry(config)
        .circuitBreaker("shop", .failureRate(percent: 50, over: .seconds(10)))
      #expect(
        breaker.policy
          == .failureRate(percent: 30, over: .seconds(10), openFor: .milliseconds(1_500)))
    }

    @Test func `a value that is no number is not valid, and the block keeps its own`() throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let provider = MutableInMemoryProvider(initialValues: [
        "warehouse.limit": 3, "chaos.2.share": 0.5,
      ])
      let blocks = BlockRegistry(ConfigReader(provider: provider))
      let limiter = try blocks.concurrencyLimiter("warehouse", .fixed(8))
      let injector = try blocks.faultInjector("chaos", [.outcome(share: 0), .outcome(share: 0)])
      func reload(_ value: ConfigValue, forKey key: AbsoluteConfigKey) -> String? {
        provider.setValue(value, forKey: key)
        return #expect(throws: InvalidArgumentError.self) { try blocks.reload() }?.description
      }
      #expect(
        reload("many", forKey: "chaos.2.share")
          == "'chaos.2.share' is many, but must be a number.")
      #expect(
        reload(true, forKey: "chaos.2.share")
          == "'chaos.2.share' is true, but must be a number.")
      #expect(injector.faults.map(\.share) == [0, 0.5])
      provider.setValue(0.25, forKey: "chaos.2.share")
      #expect(
        reload("3O", forKey: "warehouse.limit")
          == "'warehouse.limit' is 3O, but must be a number.")
      #expect(limiter.limit == 3)
      #expect(injector.faults.map(\.share) == [0, 0.25])
    }

    @Test func `blocks follow a configuration that changes`() async throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let provider = MutableInMemoryProvider(initialValues: [:])
      let config = ConfigReader(provider: provider)
      let blocks = BlockRegistry(config)
      let limiter = try blocks.concurrencyLimiter("warehouse", .fixed(8))
      let failures = Log<String>()
      let reloading = Task {
        try await blocks.reload(onChangesOf: config) { failures.append("\($0)") }
      }
      await VirtualTime.current?.settle()
      provider.setValue(3, forKey: "warehouse.limit")
      await VirtualTime.current?.settle()
      #expect(limiter.limit == 3)
      provider.setValue(0, forKey: "warehouse.limit")
      await failures.wait(for: 1)
      #expect(failures.entries == ["'warehouse.limit' is 0, but must be 1 or more."])
      #expect(limiter.limit == 3)
      reloading.cancel()
      _ = await reloading.result
    }
  }
#endif
