// Refreshing a model at an interval, and testing that without waiting.

import Escapement
import EscapementDoubles
import EscapementTesting

// snippet.model
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
// snippet.end

// snippet.fake
@MainActor func refreshesWhileVisible() async {
  let launcher = FakePeriodicTaskLauncher()
  let model = WeatherModel(launcher: launcher)
  model.appear()
  await launcher.fire()
  precondition(model.refreshes == 1)
  precondition(launcher.intervals == [.seconds(60)])
  model.disappear()
  precondition(!launcher.isActive)
}
// snippet.end

await refreshesWhileVisible()
