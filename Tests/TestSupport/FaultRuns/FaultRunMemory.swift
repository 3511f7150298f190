import Synchronization

/// Remembers the findings about trees that faults left, so that equal trees are examined only once.
final class FaultRunMemory: Sendable {
  struct Place: Sendable, Hashable {
    /// The fingerprint of the whole tree, without the notes in locks.
    let fingerprint: Int
    let boot: String
  }

  /// The data that the next process sees.
  struct Sight: Sendable {
    var outcome: FaultRunVerdict.Outcome?
    var story: FaultRunStory
    var problems: [String] = []
  }

  private struct Step: Hashable {
    let from: Place
    let to: Int?
  }

  private let recoveries = Mutex<[Place: Place]>([:])
  private let sights = Mutex<[Place: Sight]>([:])
  private let steps = Mutex<[Step: [String]]>([:])

  /// The tree after its journals were applied; nil if it was not examined yet.
  func recovered(_ place: Place) -> Place? { recoveries.withLock { $0[place] } }

  func remember(_ place: Place, after left: Place) { recoveries.withLock { $0[left] = place } }

  func sight(of place: Place) -> Sight? { sights.withLock { $0[place] } }

  func remember(_ sight: Sight, of place: Place) { sights.withLock { $0[place] = sight } }

  /// The problems of continuing from that tree, with the tree `to` as the result; nil if that was not examined yet. A
  /// process other than the one with the fault always continues in the same way: `to` is nil.
  func problems(from place: Place, to: Int? = nil) -> [String]? { steps.withLock { $0[Step(from: place, to: to)] } }

  func remember(_ problems: [String], from place: Place, to: Int? = nil) {
    steps.withLock { $0[Step(from: place, to: to)] = problems }
  }
}
