extension Error {
  /// Whether another attempt to load the places may succeed.
  ///
  /// An answer that cannot be read, and a status that blames the request, will be the same next time.
  var mayPass: Bool {
    switch self as any Error {
    case is DecodingError, is OpeningHoursError: false
    case APIError.status(let code): !(400..<500).contains(code) || [408, 429].contains(code)
    default: true
    }
  }
}
