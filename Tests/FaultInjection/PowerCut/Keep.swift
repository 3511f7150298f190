/// Selects the unsynced effects that reached the disk.
package enum Keep: Sendable, Equatable {
  case nothing
  case everything
  /// One effect, by its index among the pending ones.
  case only(Int)
  case allBut(Int)
  /// The oldest effects, up to this number.
  case first(Int)
  /// A random subset: about 10, 50 or 90 percent of the effects.
  case seeded(UInt64)

  package func choices(_ count: Int) -> [Bool] {
    switch self {
    case .nothing: return [Bool](repeating: false, count: count)
    case .everything: return [Bool](repeating: true, count: count)
    case .only(let index): return (0..<count).map { $0 == index }
    case .allBut(let index): return (0..<count).map { $0 != index }
    case .first(let number): return (0..<count).map { $0 < number }
    case .seeded(let seed):
      var generator = SeededGenerator(seed: seed)
      let percent = [10, 50, 90].randomElement(using: &generator)!
      return (0..<count).map { _ in Int.random(in: 0..<100, using: &generator) < percent }
    }
  }
}
