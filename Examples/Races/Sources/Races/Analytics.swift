/// Counts what happens in the app. An actor.
package actor Analytics {
  package private(set) var events: [String] = []

  package init() {}

  package func log(_ event: String) { events.append(event) }
}
