// static property 'count' is not concurrency-safe because it is nonisolated global shared mutable state
enum Counts { static var count = 0 }
