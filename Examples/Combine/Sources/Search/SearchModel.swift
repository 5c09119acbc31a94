import Dispatch
public import OpenCombine
import OpenCombineDispatch

/// A search field, as apps make it with Combine.
///
/// Its properties change on the main queue.
public final class SearchModel: ObservableObject {
  /// The text in the search field.
  @Published public var text = ""
  /// The row to which the user has scrolled.
  @Published public var row = 0

  /// The results of a search, which begins when the user has not typed for 300 ms.
  @Published public private(set) var results: [String] = []
  /// The row for which images are loaded, at most ten times a second.
  @Published public private(set) var loadedRow = 0
  /// A hint, two seconds after a search that has found nothing.
  @Published public private(set) var hint: String?

  private var subscriptions: Set<AnyCancellable> = []

  /// Creates a model that searches with a function.
  public init(search: @escaping (String) -> [String]) {
    $text.dropFirst()
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .sink { [weak self] in self?.results = search($0) }
      .store(in: &subscriptions)

    $row.dropFirst()
      .throttle(for: .milliseconds(100), scheduler: DispatchQueue.main, latest: true)
      .sink { [weak self] in self?.loadedRow = $0 }
      .store(in: &subscriptions)

    $results.dropFirst()
      .filter(\.isEmpty)
      .delay(for: .seconds(2), scheduler: DispatchQueue(label: "Hints"))
      .receive(on: DispatchQueue.main)
      .sink { [weak self] _ in self?.hint = "Try another word." }
      .store(in: &subscriptions)
  }
}
