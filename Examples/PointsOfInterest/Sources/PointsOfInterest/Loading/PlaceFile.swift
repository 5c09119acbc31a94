/// The JSON format of the bundled file and of the server's answers.
///
/// The loader ignores the note for human readers.
struct PlaceFile: Decodable {
  let places: [Place]
}
