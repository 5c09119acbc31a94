// call to main actor-isolated instance method 'show()' in a synchronous nonisolated context
@MainActor final class Screen { func show() {} }

func show(_ screen: Screen) { screen.show() }
