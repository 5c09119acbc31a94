extension VirtualTime {
  /// The timeline of the scope up to now, or `nil` if it does not record.
  ///
  /// The option ``VirtualTimeOptions/recordsTimeline`` switches the recording on. The timeline can
  /// also be read after the scope has ended.
  ///
  /// - Complexity: O(*n*), where *n* is the number of steps.
  public var timeline: Timeline? { scope.recorder?.timeline }
}
