import Foundation

/// Plays a day of a shop in virtual time, and draws a picture of it.
@main enum ShopDay {
  static func main() async throws {
    let log = try await Day().play()
    print("hour  answers")
    for hour in 0..<24 {
      let answers = log.answers(in: hour).sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      print(
        "\(hour)".count == 1 ? "   \(hour)" : "  \(hour)", answers.joined(separator: ", "),
        separator: "  ")
    }
    let path = CommandLine.arguments.dropFirst().first ?? "shop-day.svg"
    try DayPicture(slices: log.slices).svg.write(toFile: path, atomically: true, encoding: .utf8)
    print("The picture is in \(path).")
  }
}
