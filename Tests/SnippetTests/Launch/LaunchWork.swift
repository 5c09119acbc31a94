// An app that does not show its first screen when it is launched to host tests.

import Escapement

func applicationDidFinishLaunching() {
  guard !TestRun.isActive else { return }
  showFirstScreen()
}

func showFirstScreen() { print("first screen") }
