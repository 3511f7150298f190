import Dispatch
import Synchronization

extension AttackKind {
  /// What came of an attack on one kind, by its forms.
  package struct Reports: Sendable {
    package let kind: AttackKind
    package let kills: AttackReport
    package let cuts: AttackReport
    package let errors: AttackReport

    init(_ kind: AttackKind, _ scale: AttackScale) throws {
      // One for all: a tree that was looked at after a kill need not be looked at after an error.
      let attack = try Attack(kind, scale)
      self.kind = kind
      (kills, cuts, errors) = (try attack.kills(), try attack.cuts(), try attack.errors())
    }
  }

  /// Attacks each kind, as many at a time as there are processors; in the order of `all`.
  package static func attackAll(_ scale: AttackScale) throws -> [Reports] {
    let results = Mutex<[Int: Result<Reports, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: all.count) { place in
      let result = Result { try Reports(all[place], scale) }
      results.withLock { $0[place] = result }
    }
    return try results.withLock { results in try all.indices.compactMap { try results[$0]?.get() } }
  }
}
