import Foundation
import PointsOfInterest
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct PlacesRequestTests {
  private let request = PlacesRequest(server: URL(string: "https://example.com/api")!)

  @Test func `the request names the point`() throws {
    let urlRequest = request.makeRequest(from: SanJose.conventionCenter)
    #expect(urlRequest.httpMethod == "GET")
    #expect(
      urlRequest.url?.absoluteString
        == "https://example.com/api/places?latitude=37.3298&longitude=-121.888")
  }

  @Test func `a response has the format of the bundled file`() throws {
    let places = try request.parseResponse(
      data: Data(
        #"""
        {"note": "for humans", "places": [{
          "name": "Park", "kind": "park", "latitude": 37.33, "longitude": -121.89, "hours": "24/7"
        }]}
        """#.utf8))
    #expect(places.map(\.name) == ["Park"])
  }

  @Test(arguments: ["", "[]", #"{"places": [{"name": "Park"}]}"#])
  func `a malformed response is refused`(body: String) {
    #expect(throws: DecodingError.self) { try request.parseResponse(data: Data(body.utf8)) }
  }
}
