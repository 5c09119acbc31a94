// The timeline of a scope in a file.

import EscapementVirtualTime

func synchronise() async throws { try await Task.sleep(for: .seconds(60)) }

// It is not run, since it would leave a file.
func record() async throws {
  let timeline = try await withVirtualTime(.init(recordsTimeline: true)) { time in
    try await synchronise()
    return time.timeline
  }
  try timeline?.write(to: "synchronise.html")
}
