import Dispatch
import Synchronization

extension FaultRunKind {
  /// The reports of all attacks on one kind, by form.
  package struct Reports: Sendable {
    package let kind: FaultRunKind
    package let kills: FaultRunReport
    package let cuts: FaultRunReport
    package let errors: FaultRunReport

    init(_ kind: FaultRunKind, _ scale: FaultRunScale) throws {
      // All forms share one run: a tree that was examined after a kill need not be examined again after an error.
      let faultRun = try FaultRun(kind, scale)
      self.kind = kind
      (kills, cuts, errors) = (try faultRun.kills(), try faultRun.cuts(), try faultRun.errors())
    }
  }

  /// Attacks all kinds concurrently. The reports are in the order of `all`.
  package static func attackAll(_ scale: FaultRunScale) throws -> [Reports] {
    let results = Mutex<[Int: Result<Reports, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: all.count) { index in
      let result = Result { try Reports(all[index], scale) }
      results.withLock { $0[index] = result }
    }
    return try results.withLock { results in try all.indices.compactMap { try results[$0]?.get() } }
  }
}
