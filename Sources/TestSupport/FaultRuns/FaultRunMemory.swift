import Synchronization

/// What was found in trees that an attack left: the same bytes are not looked at twice.
final class FaultRunMemory: Sendable {
  struct Place: Sendable, Hashable {
    /// Of the whole tree, but for the notes in locks.
    let fingerprint: Int
    let boot: String
  }

  /// What the next process sees, all that it can know of.
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

  /// What that tree becomes when its journals are done; nil if nobody looked at it.
  func recovered(_ place: Place) -> Place? { recoveries.withLock { $0[place] } }

  func remember(_ place: Place, after left: Place) { recoveries.withLock { $0[left] = place } }

  func sight(of place: Place) -> Sight? { sights.withLock { $0[place] } }

  func remember(_ sight: Sight, of place: Place) { sights.withLock { $0[place] = sight } }

  /// Problems of going on from there, which led to the tree `to`; nil if that was not seen before. Another process than
  /// the one that saw the fault always goes on in the same way: `to` is nil.
  func problems(from place: Place, to: Int? = nil) -> [String]? { steps.withLock { $0[Step(from: place, to: to)] } }

  func remember(_ problems: [String], from place: Place, to: Int? = nil) {
    steps.withLock { $0[Step(from: place, to: to)] = problems }
  }
}
