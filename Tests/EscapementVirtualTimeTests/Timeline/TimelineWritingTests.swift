import CReach
import Foundation
import Testing

@testable import EscapementVirtualTime

struct TimelineWritingTests {
  private func event(
    _ kind: TimelineEvent.Kind, _ seconds: Int64, task: UInt64 = 7, other: UInt64 = 0
  ) -> TimelineEvent {
    TimelineEvent(
      instant: seconds * 1_000_000_000, task: task, other: other, kind: kind, place: 0)
  }

  private func timeline(
    _ events: [TimelineEvent], names: [UInt64: String] = [:], failures: [TimelineFailure] = []
  ) -> Timeline {
    Timeline(events: events, dropped: 0, names: names, places: [], failures: failures, body: 1)
  }

  @Test func `each kind of step has a sentence`() {
    let events =
      TimelineEvent.Kind.allCases.prefix { $0 != .ofHost }.map { event($0, 1, other: 2) } + [
        event(.failed, 1), event(.reported, 1, task: 0),
        event(.created, 1), event(.ready, 1), event(.ready, 1, other: 7), event(.ran, 1),
        event(.ran, 1, other: 1), event(.slept, 1, other: UInt64(Nanoseconds.never)),
        event(.sleepCancelled, 1), event(.ran, 1, task: 1),
      ]
    #expect(
      timeline(events, failures: [TimelineFailure { "1 is not 2.\nThat is so." }])
        .text(last: 100).split(separator: "\n").map { $0.dropFirst(14) } == [
          "task 2 creates task 7", "task 2 makes task 7 ready", "task 7 runs on actor 1",
          "task 7 sleeps until +2e-09 seconds", "task 7 wakes",
          "the sleep of task 7 is cancelled, by task 2", "task 7 holds time",
          "task 7 holds time no longer", "task 7 moves time by hand", "the body ends",
          "task 7 fails: 1 is not 2.", "the scope reports: 1 is not 2.",
          "task 7 is created", "task 7 can run", "task 7 goes on", "task 7 runs",
          "task 7 runs on the main actor", "task 7 sleeps for ever",
          "the sleep of task 7 is cancelled",
          "the body runs",
        ])
  }

  @Test func `each event of a host has a sentence of its own`() {
    var hosts = TimelineHosts()
    for kind in rch_gets_bytes.rawValue...rch_has_names.rawValue {
      hosts.add(
        rch_host_event(
          kind: rch_host_event_kind(kind), host: 0, other: 0, amount: 1, sent_at: -1, drift: 0,
          name: nil, other_name: nil))
    }
    #expect(Set(hosts.events.map(hosts.sentence)).count == hosts.events.count)
    #expect(hosts.sentence(hosts.events[6]) == "a packet from the network to the network is lost")
  }

  @Test func `what happens to hosts is found when the oldest steps were dropped`() {
    let recorder = TimelineRecorder()
    for number in 0...Int64(TimelineRecorder.capacity) {
      recorder.happened(
        rch_host_event(
          kind: rch_gets_bytes, host: 1, other: 2, amount: number, sent_at: -1, drift: 0, name: nil,
          other_name: nil), at: 0)
    }
    let timeline = recorder.timeline
    #expect(timeline.hosts.events.count == timeline.stepCount)
    #expect(timeline.text(last: 1).contains("gets \(TimelineRecorder.capacity) bytes"))
  }

  @Test func `only the last steps are shown`() {
    let many = timeline((0..<50).map { event(.woke, $0) })
    #expect(many.text().split(separator: "\n").count == 20)
    #expect(many.text(last: 2) == "+48.0 seconds  task 7 wakes\n+49.0 seconds  task 7 wakes")
    #expect(many.text(last: -1) == "")
  }

  @Test func `the trace is valid JSON, with the sleeps as spans`() throws {
    let trace = timeline(
      [
        event(.created, 0, other: 1), event(.slept, 1, other: 3_000_000_000), event(.woke, 3),
        event(.ran, 3, other: 1), event(.slept, 3, other: 9_000_000_000), event(.ran, 4, task: 1),
      ], names: [7: "a \"b\"\n</script>"]
    ).chromeTrace
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(trace.utf8)) as? [String: Any])
    let entries = try #require(root["traceEvents"] as? [[String: Any]])
    let spans = entries.filter { $0["ph"] as? String == "X" }
    #expect(spans.map { $0["ts"] as? Double } == [1_000_000, 3_000_000])
    #expect(spans.map { $0["dur"] as? Double } == [2_000_000, 1_000_000])
    let names = entries.compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
    #expect(names == ["task 7 “a \"b\" </script>”", "the main actor", "the body"])
  }

  @Test func `a name is shown in one line that is not too long`() {
    let name = "a\r\nb\u{2028}c\0d" + String(repeating: "é👍🏽", count: 2_000)
    let one = timeline([event(.woke, 1)], names: [7: name])
    #expect(one.text().hasPrefix("+1.0 seconds  task 7 “a  b c dé👍🏽"))
    #expect(one.text().hasSuffix("…” wakes"))
    #expect(one.text().split(whereSeparator: \.isNewline).count == 1)
    #expect(one.text().unicodeScalars.count < 120)
    #expect(!one.html().contains(name.dropFirst(4)))
    #expect(timeline([event(.woke, 1)], names: [7: ""]).text().hasSuffix("  task 7 wakes"))
  }

  @Test func `an actor has the name of its type`() {
    actor Store {}
    let one = Timeline(
      events: [event(.ran, 1, other: 2), event(.ran, 1, other: 3)], dropped: 0, names: [:],
      actors: [Store.self], places: [], body: 1)
    #expect(one.text().contains("task 7 runs on actor 1 “Store”"))
    #expect(one.text().contains("task 7 runs on actor 2"))
    #expect(one.chromeTrace.contains(#""args":{"name":"actor 1 “Store”"}"#))
    #expect(one.html().contains("actors:[\"actor 1 “Store”\"]"))
  }

  @Test func `no name can end the script of the page`() {
    let page = timeline([event(.woke, 0)], names: [7: "</script><b>"]).html(title: "<&>")
    #expect(page.components(separatedBy: "</script>").count == 2)
    #expect(page.contains("<title>&lt;&amp;></title>"))
    #expect(!page.contains("http"))
  }

  @Test func `the page has the steps as columns`() {
    let page = timeline([event(.woke, 1), event(.slept, 3, other: .max)]).html()
    #expect(page.contains("instants:[1000000000,2000000000,]"))
    #expect(page.contains("others:[0,-1,]"))
    #expect(page.contains("kinds:[4,3,]"))
  }

  @Test func `the page has the lines around a failure, if the file can be read`() {
    func page(_ path: String, _ line: Int) -> String {
      timeline(
        [event(.failed, 1)], failures: [TimelineFailure(path: path, line: line) { "It fails." }]
      )
      .html()
    }
    let readable = page(#filePath, 2)
    #expect(readable.contains(#"failures:[["It fails.","TimelineWritingTests.swift:2"]]"#))
    #expect(
      readable.contains(#""TimelineWritingTests.swift:2":[2,1,["import CReach","import Found"#))
    #expect(page("\(#filePath).old", 2).contains("sources:{},"))
    #expect(page(#filePath, 9_999).contains("sources:{},"))
    #expect(page(#filePath, 0).contains("sources:{},"))
  }

  @Test func `a file is a page, a text or a trace by its name`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID())"
    let one = timeline([event(.woke, 1)])
    for (ending, beginning) in [(".html", "<!doctype"), (".txt", "+1.0 sec"), (".json", "{\"disp")]
    {
      try one.write(to: path + ending)
      defer { try? FileManager.default.removeItem(atPath: path + ending) }
      #expect(try String(contentsOfFile: path + ending, encoding: .utf8).hasPrefix(beginning))
    }
    let error = #expect(throws: TimelineFileError.self) { try one.write(to: path + "/no/file") }
    #expect(error?.description.contains("cannot be written to \(path)/no/file: ") == true)
  }

  @Test func `the environment names the folder`() {
    #expect(TraceFolder { _ in nil } == nil)
    #expect(TraceFolder { $0 == "ESCAPEMENT_TRACE" ? "" : nil } == nil)
    #expect(TraceFolder { $0 == "ESCAPEMENT_TRACE" ? "t" : nil }?.writesAll == false)
    #expect(TraceFolder { $0 == "ESCAPEMENT_TRACE" ? "t" : "all" }?.writesAll == true)
  }

  @Test(arguments: [
    ["a/b", "a b", "a-b"], ["c", "c", "c-2", "c-2"], ["d-2", "d", "d"],
    [String(repeating: "試", count: 150), String(repeating: "試", count: 151)],
    ["e\(String(repeating: "\u{301}", count: 500))"], ["", "``", "…"],
  ])
  func `each timeline has files of its own, in a folder that is made`(names: [String]) throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = TraceFolder { $0 == "ESCAPEMENT_TRACE" ? path + "/in/another" : nil }
    for name in names { folder?.write(timeline([event(.woke, 1)]), of: name, hasFailed: true) }
    let files = try FileManager.default.contentsOfDirectory(atPath: path + "/in/another")
    #expect(files.count == 2 * names.count, "\(files)")
  }

  @Test func `the name of a file has one dash for all characters between two words`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    TraceFolder { $0 == "ESCAPEMENT_TRACE" ? path : nil }?.write(
      timeline([event(.woke, 1)]), of: "AppTests.CacheTests/`a price (of 5 €) -- expires`()",
      hasFailed: true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [
        "AppTests.CacheTests-a-price-of-5-expires.html",
        "AppTests.CacheTests-a-price-of-5-expires.json",
      ])
  }

  @Test func `files are written for failed tests, or for all`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let one = timeline([event(.woke, 1)])
    func names() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
    let failed = TraceFolder { $0 == "ESCAPEMENT_TRACE" ? path : nil }
    failed?.write(one, of: "passed/\(path)", hasFailed: false)
    #expect(names().isEmpty)
    failed?.write(one, of: "a/b c", hasFailed: true)
    failed?.write(one, of: "a/b c", hasFailed: true)
    #expect(names().count == 4)
    #expect(names().allSatisfy { $0.hasPrefix("a-b-c") })
    TraceFolder { $0 == "ESCAPEMENT_TRACE" ? path : "all" }?.write(
      one, of: "passed", hasFailed: false)
    #expect(names().count == 6)
  }
}
