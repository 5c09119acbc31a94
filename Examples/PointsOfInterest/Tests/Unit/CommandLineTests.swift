import ArgumentParser
import Foundation
import Testing

@testable import poi

@Suite struct CommandLineTests {
  @Test func `the default is one day from Friday`() throws {
    let command = try parse("timelapse", as: TimelapseCommand.self)
    #expect(command.hours == nil)
    #expect(command.days == nil)
    #expect(command.start.date == StartTime.default.date)
  }

  @Test func `options are parsed`() throws {
    let timelapse = try parse(
      "timelapse", "--days", "365", "--start", "2026-06-01T06:00", as: TimelapseCommand.self)
    #expect(timelapse.days == 365)
    #expect(timelapse.trace == nil)
    #expect(
      try parse("timelapse", "--trace", "a.html", as: TimelapseCommand.self).trace == "a.html")
    #expect("\(timelapse.start)" == "2026-06-01T06:00")
    #expect(try parse("timelapse", "--outages", "7", as: TimelapseCommand.self).outages == 7)
    #expect(try parse("run", "--for", "60", as: RunCommand.self).seconds == 60)
    let server = "http://localhost:8080/api"
    #expect(try parse("run", "--server", server, as: RunCommand.self).server == server)
  }

  #if Live
    @Test func `options of the trait Live are parsed`() throws {
      let run = try parse(
        "run", "--server", "http://localhost", "--store", "a.sqlite", as: RunCommand.self)
      #expect(run.store == "a.sqlite")
      let serve = try parse(
        "serve", "--port", "0", "--slow", "0.5", "--failures", "30", as: ServeCommand.self)
      #expect(serve.port == 0)
      #expect(serve.slow == 0.5)
      #expect(serve.failures == 30)
    }
  #endif

  @Test(arguments: [
    ["timelapse", "--hours", "0"],
    ["timelapse", "--hours=-1"],
    ["timelapse", "--hours", "1.5"],
    ["timelapse", "--hours", "1000000000000"],
    ["timelapse", "--hours", "99999999999999999999"],
    ["timelapse", "--days", "0"],
    ["timelapse", "--hours", "24", "--days", "1"],
    ["timelapse", "--start", "tomorrow"],
    ["timelapse", "24"],
    ["run", "--for", "0"],
    ["run", "--for", "31536001"],
    ["run", "--server", "localhost:8080"],
    ["run", "--server", "ftp://localhost"],
    ["run", "--server", "http://"],
    ["run", "--store", "a.sqlite"],
    ["timelapse", "--outages", "-1"],
    ["serve", "--port", "65536"],
    ["serve", "--slow", "3601"],
    ["serve", "--failures", "101"],
    ["dance"],
  ])
  func `bad usage exits with code 64`(arguments: [String]) {
    let error = #expect(throws: (any Error).self) {
      try PointsOfInterestCommand.parseAsRoot(arguments)
    }
    #expect(error.map(PointsOfInterestCommand.exitCode(for:)) == .validationFailure)
  }

  @Test(arguments: [
    (["timelapse", "--hours", "-3"], "'--hours' must be from 1 to 87600, but is -3."),
    (["timelapse", "--days", "-3"], "'--days' must be from 1 to 3650, but is -3."),
    (["run", "--for", "-3"], "'--for' must be from 1 to 31536000, but is -3."),
  ])
  func `a negative number is refused with its range`(
    arguments: [String], message: String
  ) {
    let error = #expect(throws: (any Error).self) {
      try PointsOfInterestCommand.parseAsRoot(arguments)
    }
    #expect(error.map(PointsOfInterestCommand.message(for:)) == message)
  }

  @Test func `the version is printed`() throws {
    let error = #expect(throws: (any Error).self) {
      try PointsOfInterestCommand.parseAsRoot(["--version"])
    }
    #expect(error.map(PointsOfInterestCommand.exitCode(for:)) == .success)
    #expect(error.map(PointsOfInterestCommand.message(for:))?.isEmpty == false)
  }

  @Test func `an app that cannot load its places exits with code 1 and one line`() {
    let error = LoadingFailure(error: CocoaError(.fileNoSuchFile))
    #expect(PointsOfInterestCommand.exitCode(for: error) == .failure)
    #expect(PointsOfInterestCommand.message(for: error).hasPrefix("the places cannot be loaded: "))
    #expect(!PointsOfInterestCommand.message(for: error).contains("\n"))
  }

  @Test func `each server has a store of its own`() throws {
    let server = try #require(URL(string: "http://localhost:8080/api"))
    #expect(RunCommand.defaultStore(for: server).hasSuffix("/poi/localhost-8080.sqlite"))
  }

  @Test func `help exits successfully`() throws {
    var command = try PointsOfInterestCommand.parseAsRoot(["timelapse", "--help"])
    let error = #expect(throws: (any Error).self) { try command.run() }
    #expect(error.map(PointsOfInterestCommand.exitCode(for:)) == .success)
  }

  private func parse<Command: ParsableCommand>(
    _ arguments: String..., as: Command.Type
  ) throws -> Command {
    try #require(PointsOfInterestCommand.parseAsRoot(arguments) as? Command)
  }
}
