#if Configuration
  public import Configuration
  public import _EscapementCore

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  extension BlockRegistry {
    /// Creates a registry without blocks that takes their numbers from a configuration.
    ///
    /// This initializer exists with the package trait `Configuration`.
    ///
    /// - Parameters:
    ///   - config: The configuration, or a part of it, such as `config.scoped(to: "blocks")`. A text
    ///     or a Boolean that is no number is not valid.
    ///   - clock: The clock of the blocks.
    ///   - onEvent: Called for each event of a block, with its name.
    public convenience init(
      _ config: ConfigReader, clock: C = ContinuousClock(),
      onEvent: (@Sendable (_ block: String, BlockEvent) -> Void)? = nil
    ) {
      self.init(clock: clock, onEvent: onEvent) { name throws(InvalidArgumentError) in
        let key = ConfigKey(name)
        if let number = config.double(forKey: key) { return number }
        if let number = config.int(forKey: key) { return Double(number) }
        guard let other = config.string(forKey: key) ?? config.bool(forKey: key).map({ "\($0)" })
        else { return nil }
        throw InvalidArgumentError(name, other, mustBe: "a number")
      }
    }

    /// Reloads the blocks whenever the configuration changes, until the task is cancelled.
    ///
    /// The numbers are read one by one. While the configuration changes several times in a row, a
    /// block may see some of one version and some of the next, until the last one is read.
    ///
    /// This method exists with the package trait `Configuration`.
    ///
    /// - Parameters:
    ///   - config: The configuration of the registry.
    ///   - onFailure: Called when numbers are not valid; the block keeps those that it has.
    /// - Throws: What the providers of the configuration throw.
    public func reload(
      onChangesOf config: ConfigReader, onFailure: (InvalidArgumentError) -> Void = { _ in }
    ) async throws {
      try await config.watchSnapshot { snapshots in
        for await _ in snapshots {
          do throws(InvalidArgumentError) { try reload() } catch { onFailure(error) }
        }
      }
    }
  }
#endif
