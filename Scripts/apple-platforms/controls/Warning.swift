// variable 'count' was never mutated
func makeCount() -> Int {
  var count = 0
  return count
}
