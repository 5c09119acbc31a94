/// Makes empty values, for calls that have no answer and must return a value.
enum Placeholder {
  /// An empty value of the type, such as `nil`, zero or an empty array; `nil` if none is known.
  static func make<Value>(_ type: Value.Type = Value.self) -> Value? {
    let value: Any? =
      switch type {
      case let type as any ExpressibleByNilLiteral.Type: null(type)
      case let type as any RangeReplaceableCollection.Type: empty(type)
      case let type as any ExpressibleByDictionaryLiteral.Type: emptyDictionary(type)
      case let type as any SetAlgebra.Type: emptySet(type)
      case let type as any Numeric.Type: zero(type)
      case is Bool.Type: false
      case is Void.Type: ()
      default: nil
      }
    return value as? Value
  }

  private static func null<T: ExpressibleByNilLiteral>(_: T.Type) -> T { nil }
  private static func empty<T: RangeReplaceableCollection>(_: T.Type) -> T { T() }
  private static func emptyDictionary<T: ExpressibleByDictionaryLiteral>(_: T.Type) -> T { [:] }
  private static func emptySet<T: SetAlgebra>(_: T.Type) -> T { T() }
  private static func zero<T: Numeric>(_: T.Type) -> T { .zero }
}
