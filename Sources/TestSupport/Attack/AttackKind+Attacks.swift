import Dispatch
import Synchronization

extension AttackKind {
  /// Attacks each kind, as many at a time as there are processors; what came of it, in the order of `all`.
  package static func attackAll(
    _ scale: AttackScale, _ attack: @Sendable (Attack) throws -> AttackReport
  ) throws -> [(kind: AttackKind, report: AttackReport)] {
    let results = Mutex<[Int: Result<AttackReport, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: all.count) { place in
      let result = Result { try attack(Attack(all[place], scale)) }
      results.withLock { $0[place] = result }
    }
    return try results.withLock { results in
      try all.enumerated().compactMap { place, kind in try results[place].map { (kind, try $0.get()) } }
    }
  }
}
