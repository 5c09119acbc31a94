// An app that does not show its first screen when it is launched to host tests.

import Escapement

func applicationDidFinishLaunching() {
  guard !TestRun.isActive else { return }
  showFirstScreen()
}

// snippet.hide
func showFirstScreen() { print("first screen") }

applicationDidFinishLaunching()
