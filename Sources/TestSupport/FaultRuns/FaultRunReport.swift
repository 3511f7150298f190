/// What an attack did and found.
package struct FaultRunReport: Sendable {
  package var calls = 0
  package var kills = 0
  package var secondKills = 0
  package var cuts = 0
  package var secondCuts = 0
  package var errors = 0
  /// Trees that a kill left, and a writer came to first.
  package var writers = 0
  /// Calls that failed in a recovery.
  package var secondErrors = 0
  /// Syncs that failed and lost what they were about, and people went on before the power was cut.
  package var lostSyncs = 0
  /// Cases that left a folder which an earlier case of the attack had left, too, and which was looked at then.
  package var repeated = 0
  /// How many cases ended as if nothing had happened, and how many with all of it.
  package var before = 0
  package var after = 0
  package var failures: [String] = []
  private let suspicion: FaultRunSuspicion?

  package init() { suspicion = nil }

  init(_ suspicion: FaultRunSuspicion?) { self.suspicion = suspicion }

  package var cases: Int { kills + secondKills + cuts + secondCuts + errors + writers + secondErrors + lostSyncs }

  /// Both count the same calls.
  package static func += (left: inout FaultRunReport, right: FaultRunReport) {
    left.calls = max(left.calls, right.calls)
    left.kills += right.kills
    left.secondKills += right.secondKills
    left.cuts += right.cuts
    left.secondCuts += right.secondCuts
    left.errors += right.errors
    left.writers += right.writers
    left.secondErrors += right.secondErrors
    left.lostSyncs += right.lostSyncs
    left.repeated += right.repeated
    left.before += right.before
    left.after += right.after
    left.failures += right.failures
  }

  /// Whether the faults fell on both sides of the commit point.
  package func seesBoth(of kind: FaultRunKind) -> Bool { !kind.isVisible || before > 0 && after > 0 }

  mutating func add(_ verdict: FaultRunVerdict, _ text: @autoclosure () -> String) throws {
    if verdict.isRepeated { repeated += 1 }
    switch verdict.outcome {
    case .before: before += 1
    case .after: after += 1
    case .between, nil: break
    }
    if !verdict.problems.isEmpty {
      failures.append(text() + "\n    " + verdict.problems.joined(separator: "\n    "))
      try suspicion?.look(at: failures[failures.count - 1])
    }
  }
}

/// What was found in a cloud after a fault.
struct FaultRunVerdict: Sendable {
  /// `between` is only for what is done in several commits.
  enum Outcome: Sendable { case before, between, after }

  /// Nil where it can't be told.
  var outcome: Outcome?
  var problems: [String] = []
  /// The same was found before, and was gone on with in the same way.
  var isRepeated = false
}

/// An attack that can't be made.
struct FaultRunError: Error, CustomStringConvertible {
  var text: String

  var description: String { text }
}
