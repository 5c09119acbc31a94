extension History.Entry: Codable where Call: Codable, Answer: Codable {
  private enum CodingKeys: CodingKey { case client, call, answer, beginning, end }

  /// Decodes a call, with its answer if it has an end.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    client = try values.decode(String.self, forKey: .client)
    call = try values.decode(Call.self, forKey: .call)
    beginning = try values.decode(Int.self, forKey: .beginning)
    end = try values.decodeIfPresent(Int.self, forKey: .end)
    // An answer may itself be `nil`.
    answer = end == nil ? nil : try values.decode(Answer.self, forKey: .answer)
  }

  /// Encodes a call.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(client, forKey: .client)
    try values.encode(call, forKey: .call)
    if let answer { try values.encode(answer, forKey: .answer) }
    try values.encode(beginning, forKey: .beginning)
    try values.encodeIfPresent(end, forKey: .end)
  }
}

extension History: Codable where Call: Codable, Answer: Codable {
  private enum CodingKeys: CodingKey { case entries }

  /// Decodes the calls, in any order.
  ///
  /// - Throws: `DecodingError` as well if calls begin or end at the same place, or end before they
  ///   begin.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode([Entry].self, forKey: .entries).sorted { $0.beginning < $1.beginning })
    let places = entries.map(\.beginning) + entries.compactMap(\.end)
    let isInOrder = entries.allSatisfy { $0.beginning >= 0 && $0.end ?? .max > $0.beginning }
    guard isInOrder, !places.contains(.max), Set(places).count == places.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .entries, in: values,
        debugDescription: "Each beginning and end has a place of its own, from 0 on.")
    }
  }

  /// Encodes all calls.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(entries, forKey: .entries)
  }
}
