/// Three tasks take places of a stack and give them back; the top looks unchanged while the places
/// below it have changed.
///
/// Source: the ABA problem of the stack of R. K. Treiber: *Systems Programming: Coping with
/// Parallelism* (1986), as M. Michael and M. Scott tell it (PODC 1996).
@concurrent func recycledStack() async throws {
  let stack = Stack(3)
  let owners = (0..<3).map { _ in Variable() }
  try await inParallel(3) { _ in
    for _ in 0..<2 {
      guard let place = await stack.pop() else { continue }
      try check(await owners[place].add(1) == 1)
      await owners[place].add(-1)
      await stack.push(place)
    }
  }
}

private struct Stack: Sendable {
  private let head = Variable(0)
  private let next: [Variable]

  init(_ size: Int) { next = (1...size).map { Variable($0 < size ? $0 : -1) } }

  func pop() async -> Int? {
    while true {
      let top = await head.load()
      guard top >= 0 else { return nil }
      let below = await next[top].load()
      if await head.replace(top, by: below) { return top }
    }
  }

  func push(_ place: Int) async {
    var top: Int
    repeat {
      top = await head.load()
      await next[place].store(top)
    } while !(await head.replace(top, by: place))
  }
}
