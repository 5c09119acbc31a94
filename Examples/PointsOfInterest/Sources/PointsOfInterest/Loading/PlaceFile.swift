/// The form in which places are written, in the bundled file and by a server.
///
/// A note for human readers is skipped.
struct PlaceFile: Decodable {
  let places: [Place]
}
