import Foundation

/// Runs this program once more, for measurements that those before must not have touched.
package enum FreshProcess {
  /// What the program has written when it ended with a failure.
  package struct Failure: Error, CustomStringConvertible {
    package let arguments: [String]
    package let status: Int32

    package var description: String {
      "'\(arguments.joined(separator: " "))' has ended with the status \(status)."
    }
  }

  /// Runs the program with these arguments, and decodes the JSON that it prints.
  package static func run<Result: Decodable>(
    _ arguments: [String], returning type: Result.Type = Result.self
  ) throws -> Result {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(arguments: arguments, status: process.terminationStatus)
    }
    return try JSONDecoder().decode(type, from: data)
  }
}
