/// The reason why a store cannot be read or written.
public enum PlaceStoreError: Error, Equatable, CustomStringConvertible {
  /// There is no space left for the places.
  case diskIsFull

  /// The file is not a store of places.
  case damaged(file: String)

  /// The system refuses access to the file.
  case inaccessible(file: String)

  /// Any other failure, in the words of the database.
  case failed(String)

  /// A description of the error in one line, for a user.
  public var description: String {
    switch self {
    case .diskIsFull: "the places cannot be stored: the disk is full"
    case .damaged(let file): "\(file) is not a store of places; delete it"
    case .inaccessible(let file): "\(file) cannot be opened"
    case .failed(let reason): "the store failed: \(reason)"
    }
  }
}
