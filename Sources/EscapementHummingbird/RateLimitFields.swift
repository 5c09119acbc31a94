#if Hummingbird
  import Escapement
  import HTTPTypes
  import _EscapementCore

  /// The fields that tell a client of its quota, as structured fields (RFC 9651).
  struct RateLimitFields: Hashable, Sendable {
    let policy: String
    /// The names of the parts of the quota, in quotation marks.
    private let names: [String]

    init(_ quota: Quota, name: String) throws(InvalidArgumentError) {
      guard name.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
        throw InvalidArgumentError("name", name, mustBe: "printable ASCII")
      }
      let parts = quota.parts
      let escaped = name.map { #"\""#.contains($0) ? #"\\#($0)"# : "\($0)" }.joined()
      names =
        parts.count == 1 ? ["\"\(escaped)\""] : parts.indices.map { "\"\(escaped)-\($0 + 1)\"" }
      policy = zip(names, parts).map { "\($0);q=\($1.permits);w=\(Self.integer($1.seconds))" }
        .joined(separator: ", ")
    }

    /// The fields of the answer to a request.
    func fields(for decision: QuotaDecision) -> HTTPFields {
      var fields: HTTPFields = [.rateLimitPolicy: policy]
      switch decision {
      case .allowed(let remaining): fields[.rateLimit] = list("r=\(remaining)")
      case .denied(let time):
        let seconds = Self.integer(time / .seconds(1))
        fields[.rateLimit] = list("r=0;t=\(seconds)")
        fields[.retryAfter] = String(seconds)
      }
      return fields
    }

    private func list(_ parameters: String) -> String {
      names.map { "\($0);\(parameters)" }.joined(separator: ", ")
    }

    /// Whole seconds, rounded up, since a client that comes too early is refused again; at most 15
    /// digits, as a structured field has.
    static func integer(_ seconds: Double) -> Int {
      Int(min(max(seconds.rounded(.up), 1), 999_999_999_999_999))
    }
  }

  extension HTTPField.Name {
    static let rateLimit = Self("RateLimit")!
    static let rateLimitPolicy = Self("RateLimit-Policy")!
  }
#endif
