// Code that loads from the network, before and after it was made testable.

import EscapementMockHTTP
import EscapementVirtualTime
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct PointOfInterest: Codable, Equatable {
  let name: String
}

@MainActor final class PointsScreen {
  private(set) var points: [PointOfInterest] = []
  private(set) var message: String?

  func load(latitude: Double, longitude: Double) async {
    let url = URL(string: "https://api.example.com/points?lat=\(latitude)&long=\(longitude)")!
    do {
      let (data, _) = try await URLSession.shared.data(from: url)
      points = try JSONDecoder().decode([PointOfInterest].self, from: data)
    } catch {
      message = "The points could not be loaded."
    }
  }
}

protocol APIRequest: Sendable {
  associatedtype Input: Sendable
  associatedtype Response: Sendable
  func makeRequest(from input: Input) throws -> URLRequest
  func parseResponse(data: Data) throws -> Response
}

struct PointsRequest: APIRequest {
  struct Place: Sendable {
    let latitude: Double
    let longitude: Double
  }

  func makeRequest(from place: Place) throws -> URLRequest {
    guard (-90...90).contains(place.latitude) else { throw URLError(.badURL) }
    var components = URLComponents(string: "https://api.example.com/points")!
    components.queryItems = [
      URLQueryItem(name: "lat", value: "\(place.latitude)"),
      URLQueryItem(name: "long", value: "\(place.longitude)"),
    ]
    return URLRequest(url: components.url!)
  }

  func parseResponse(data: Data) throws -> [PointOfInterest] {
    try JSONDecoder().decode([PointOfInterest].self, from: data)
  }
}

struct APIRequestLoader<Request: APIRequest>: Sendable {
  let request: Request
  var session = URLSession.shared

  func load(_ input: Request.Input) async throws -> Request.Response {
    let (data, response) = try await session.data(for: request.makeRequest(from: input))
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
      throw URLError(.badServerResponse)
    }
    return try request.parseResponse(data: data)
  }
}

@Test func `requests are made, and responses are parsed`() throws {
  let request = PointsRequest()
  let url = try request.makeRequest(from: .init(latitude: 37.25, longitude: -122.5)).url
  #expect(url?.query == "lat=37.25&long=-122.5")
  let points = try request.parseResponse(data: Data(#"[{"name":"Park"}]"#.utf8))
  #expect(points == [PointOfInterest(name: "Park")])
}

@Test func `points are loaded`() async throws {
  let http = MockHTTP()
  http.stub(.get, "/points", where: .query("lat", "37.25"), .query("long", "-122.5")) { _ in
    .json([PointOfInterest(name: "Park")])
  }
  let loader = APIRequestLoader(request: PointsRequest(), session: http.makeSession())
  let points = try await loader.load(.init(latitude: 37.25, longitude: -122.5))
  #expect(points == [PointOfInterest(name: "Park")])
}

@Test func `points are loaded by the handler`() async throws {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.protocolClasses = [MockURLProtocol.self]
  MockURLProtocol.requestHandler = { request in
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
    return (response, Data(#"[{"name":"Park"}]"#.utf8))
  }
  let session = URLSession(configuration: configuration)
  let loader = APIRequestLoader(request: PointsRequest(), session: session)
  let points = try await loader.load(.init(latitude: 37.25, longitude: -122.5))
  #expect(points == [PointOfInterest(name: "Park")])
}
