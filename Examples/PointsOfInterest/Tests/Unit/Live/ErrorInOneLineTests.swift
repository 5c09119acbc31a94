import Foundation
import PointsOfInterest
import Testing

@testable import poi

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ErrorInOneLineTests {
  @Test(arguments: [
    ("<html>", "it is not the JSON of places"),
    ("[]", "it is not the JSON of places"),
    ("{}", "it has no 'places'"),
    (#"{"places": [{"name": "Park"}]}"#, "places[0] has no 'kind'"),
    (#"{"places": [{"name": null}]}"#, "places[0].name is null"),
  ])
  func `an answer that cannot be read names what is wrong`(answer: String, reason: String) {
    let request = PlacesRequest(server: URL(string: "http://localhost")!)
    let error = #expect(throws: DecodingError.self) {
      try request.parseResponse(data: Data(answer.utf8))
    }
    #expect(error?.inOneLine == "the answer cannot be read: \(reason)")
  }

  @Test func `a status is named`() {
    #expect(APIError.status(500).inOneLine == "the server answered with status 500")
  }

  @Test func `an error with several lines becomes one line`() {
    struct Failure: Error, CustomStringConvertible {
      let description = "first\nsecond"
    }
    #expect(Failure().inOneLine == "first second")
  }

  @Test(arguments: [
    URLError.Code.cannotConnectToHost, .cannotFindHost, .timedOut, .networkConnectionLost,
    .badServerResponse,
  ])
  func `an error of the network is one short line`(code: URLError.Code) {
    let text = URLError(code).inOneLine
    #expect(text.count <= 60)
    #expect(!text.contains("Domain"))
  }
}
