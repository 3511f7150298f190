/// Which of the effects that no sync made durable are on the disk after all.
package enum Keep: Sendable, Equatable {
  case nothing
  case everything
  /// One alone, by its place among the pending ones.
  case only(Int)
  case allBut(Int)
  /// So many, the eldest.
  case first(Int)
  /// Few, half or most of them.
  case seeded(UInt64)

  package func choices(_ count: Int) -> [Bool] {
    switch self {
    case .nothing: return [Bool](repeating: false, count: count)
    case .everything: return [Bool](repeating: true, count: count)
    case .only(let place): return (0..<count).map { $0 == place }
    case .allBut(let place): return (0..<count).map { $0 != place }
    case .first(let number): return (0..<count).map { $0 < number }
    case .seeded(let seed):
      var generator = SeededGenerator(seed: seed)
      let percent = [10, 50, 90].randomElement(using: &generator)!
      return (0..<count).map { _ in Int.random(in: 0..<100, using: &generator) < percent }
    }
  }
}
