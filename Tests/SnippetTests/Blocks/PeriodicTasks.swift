// Refreshing a model at an interval, and testing that without waiting.

import Escapement
import EscapementDoubles
import EscapementTesting
import Testing

@MainActor final class WeatherModel {
  private(set) var refreshes = 0
  private let launcher: any PeriodicTaskLauncher

  init(launcher: any PeriodicTaskLauncher = DefaultPeriodicTaskLauncher()) {
    self.launcher = launcher
    launcher.every(.seconds(60)) { [weak self] in self?.refresh() }
  }

  func appear() { launcher.start() }
  func disappear() { launcher.stop() }

  private func refresh() { refreshes += 1 }
}

@Test @MainActor func `the model is refreshed while it is visible`() async {
  let launcher = FakePeriodicTaskLauncher()
  let model = WeatherModel(launcher: launcher)
  model.appear()
  await launcher.fire()
  #expect(model.refreshes == 1)
  #expect(launcher.intervals == [.seconds(60)])
  model.disappear()
  #expect(!launcher.isActive)
}
