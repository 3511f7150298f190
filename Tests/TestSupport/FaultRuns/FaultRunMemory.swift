import Synchronization

/// Remembers the findings about trees that faults left, so that equal trees are examined only once.
final class FaultRunMemory: Sendable {
  struct TreeState: Sendable, Hashable {
    /// The fingerprint of the whole tree, without the notes in locks.
    let fingerprint: Int
    let boot: String
  }

  /// The data that the next process sees.
  struct Observation: Sendable {
    var outcome: FaultRunVerdict.Outcome?
    var scenario: FaultRunScenario
    var problems: [String] = []
  }

  private struct Step: Hashable {
    let from: TreeState
    let to: Int?
  }

  private let recoveries = Mutex<[TreeState: TreeState]>([:])
  private let observations = Mutex<[TreeState: Observation]>([:])
  private let steps = Mutex<[Step: [String]]>([:])

  /// The tree after its journals were applied; nil if it was not examined yet.
  func recovered(_ state: TreeState) -> TreeState? { recoveries.withLock { $0[state] } }

  func remember(_ state: TreeState, after left: TreeState) { recoveries.withLock { $0[left] = state } }

  func observation(of state: TreeState) -> Observation? { observations.withLock { $0[state] } }

  func remember(_ observation: Observation, of state: TreeState) { observations.withLock { $0[state] = observation } }

  /// The problems of continuing from that tree, with the tree `to` as the result; nil if that was not examined yet. A
  /// process other than the one with the fault always continues in the same way: `to` is nil.
  func problems(from state: TreeState, to: Int? = nil) -> [String]? { steps.withLock { $0[Step(from: state, to: to)] } }

  func remember(_ problems: [String], from state: TreeState, to: Int? = nil) {
    steps.withLock { $0[Step(from: state, to: to)] = problems }
  }
}
