/// Three tasks take places of a stack without locks, own them, and give them back.
///
/// Source: D. Vyukov, *Bug with a context switch bound 5* (2010); in SCTBench as `misc/safestack`
/// (Thomson, Donaldson, Betts, PPoPP 2014).
@concurrent func safeStack() async throws {
  let stack = SafeStack(3)
  let owners = (0..<3).map { _ in Variable() }
  try await inParallel(3) { number in
    for _ in 0..<2 {
      guard let place = await stack.pop() else { continue }
      await owners[place].store(number)
      try check(await owners[place].load() == number)
      await stack.push(place)
    }
  }
}

private struct SafeStack: Sendable {
  private let head = Variable(0)
  private let count: Variable
  private let next: [Variable]

  init(_ size: Int) {
    count = Variable(size)
    next = (1...size).map { Variable($0 < size ? $0 : -1) }
  }

  func pop() async -> Int? {
    for _ in 0..<3 where await count.load() > 1 {
      let top = await head.load()
      let below = await next[top].exchange(-1)
      guard below >= 0 else { continue }
      if await head.replace(top, by: below) {
        await count.add(-1)
        return top
      }
      _ = await next[top].exchange(below)
    }
    return nil
  }

  func push(_ place: Int) async {
    var top: Int
    repeat {
      top = await head.load()
      await next[place].store(top)
    } while !(await head.replace(top, by: place))
    await count.add(1)
  }
}
