/// The report of a fault run: the numbers of its cases, and its failures.
package struct FaultRunReport: Sendable {
  package var calls = 0
  package var kills = 0
  package var secondKills = 0
  package var cuts = 0
  package var secondCuts = 0
  package var errors = 0
  /// Cases with a writer as the first process to use the cloud after a kill.
  package var writers = 0
  /// Calls that failed during a recovery.
  package var secondErrors = 0
  /// Syncs that failed and lost their data. Users continued before the power was cut.
  package var lostSyncs = 0
  /// Cases with the same resulting folder as an earlier case, so that it was not examined again.
  package var repeated = 0
  /// Cases that ended as if nothing had happened. `after` counts those that ended with the whole commit.
  package var before = 0
  package var after = 0
  package var failures: [String] = []
  private let suspicion: FaultRunSuspicion?

  package init() { suspicion = nil }

  init(_ suspicion: FaultRunSuspicion?) { self.suspicion = suspicion }

  package var cases: Int { kills + secondKills + cuts + secondCuts + errors + writers + secondErrors + lostSyncs }

  /// Adds a report of the same run. Both count the same calls.
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

  /// Whether there were faults before and after the commit point.
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

/// The findings in a cloud after a fault.
struct FaultRunVerdict: Sendable {
  /// The outcome of the commit. `between` occurs only for stepwise kinds.
  enum Outcome: Sendable { case before, between, after }

  /// The outcome; nil if it can't be determined.
  var outcome: Outcome?
  var problems: [String] = []
  /// Whether the same tree was examined before, and continued in the same way.
  var isRepeated = false
}

/// Thrown if a kind can't be attacked.
struct FaultRunError: Error, CustomStringConvertible {
  var text: String

  var description: String { text }
}
