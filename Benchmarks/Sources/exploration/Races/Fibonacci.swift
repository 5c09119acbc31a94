/// Two tasks add the variable of the other one to their own, five times each; the largest sum needs
/// a switch after each step.
///
/// Source: `pthread/fib_bench` of the Competition on Software Verification (SV-COMP).
@concurrent func fibonacci() async throws {
  let sums = [Variable(1), Variable(1)]
  try await inParallel(2) { number in
    let (own, other) = (sums[number], sums[1 - number])
    for _ in 0..<5 {
      let sum = await own.load() + other.load()
      await own.store(sum)
    }
  }
  for sum in sums { try check(await sum.load() < 144) }
}
