import Dispatch
import Synchronization

extension FaultRunKind {
  /// What came of an attack on one kind, by its forms.
  package struct Reports: Sendable {
    package let kind: FaultRunKind
    package let kills: FaultRunReport
    package let cuts: FaultRunReport
    package let errors: FaultRunReport

    init(_ kind: FaultRunKind, _ scale: FaultRunScale) throws {
      // One for all: a tree that was looked at after a kill need not be looked at after an error.
      let faultRun = try FaultRun(kind, scale)
      self.kind = kind
      (kills, cuts, errors) = (try faultRun.kills(), try faultRun.cuts(), try faultRun.errors())
    }
  }

  /// Attacks each kind, as many at a time as there are processors; in the order of `all`.
  package static func attackAll(_ scale: FaultRunScale) throws -> [Reports] {
    let results = Mutex<[Int: Result<Reports, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: all.count) { place in
      let result = Result { try Reports(all[place], scale) }
      results.withLock { $0[place] = result }
    }
    return try results.withLock { results in try all.indices.compactMap { try results[$0]?.get() } }
  }
}
