import Platform

/// Records that a large commit is about to look at, read on a thread beside its planning.
///
/// Threads: made and asked on one; ends by ``end()`` before the zone's lock is let go.
final class RecordsAhead: Sendable {
  private struct State {
    var found: [ExactName: Result<StoredRecord?, any Error>] = [:]
    var isOver = false
  }

  /// A hand-over costs as much as a record.
  private static let chunk = 16

  private let state = Condition(State())
  private let line = JobLine()
  private let names: Set<ExactName>

  init(_ names: ArraySlice<ExactName>, in zone: ZoneStore) {
    self.names = Set(names)
    line.add { [state] in
      var rest = names
      while !rest.isEmpty {
        if state.change({ $0.isOver }) { return }
        let found = rest.prefix(Self.chunk).map { name in (name, Result { try zone.readRecord(name) }) }
        rest = rest.dropFirst(Self.chunk)
        state.change { state in for (name, result) in found { state.found[name] = result } }
      }
    }
  }

  /// Nil if nobody asked for it in time.
  func record(_ name: ExactName) -> Result<StoredRecord?, any Error>? {
    guard names.contains(name) else { return nil }
    return state.wait(seconds: .infinity) { $0.found[name] }
  }

  func end() {
    state.change { $0.isOver = true }
    try? line.finish()
  }
}
