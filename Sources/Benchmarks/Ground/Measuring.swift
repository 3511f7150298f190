import Platform

/// Milliseconds that `body` takes.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = monotonicNanoseconds()
  try body()
  return Double(monotonicNanoseconds() - start) / 1e6
}

/// How many a second, if `body` makes `count`.
func rate(of count: Int, _ body: () throws -> Void) rethrows -> Double {
  Double(count) * 1000 / (try milliseconds(body))
}

/// Measures all sides in turn, so that they meet the same weather; every other time in the opposite order, so that none
/// always runs after the same other one.
func inTurns(_ turns: Int, _ sides: [() throws -> Double]) throws -> [Samples] {
  var values = [[Double]](repeating: [], count: sides.count)
  for turn in 0..<turns {
    let order = turn.isMultiple(of: 2) ? Array(sides.indices) : sides.indices.reversed()
    for side in order { values[side].append(try sides[side]()) }
  }
  return values.map { Samples($0) }
}
