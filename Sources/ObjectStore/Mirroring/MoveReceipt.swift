import Storage

/// Where a record was before, the last home last: `[{"movedAt": 1…, "owner": "…", "recordName": "…", "zone": "…"}]`.
///
/// With it the owner's other devices see that a record which is new to them is an object which they have ([mirror-14]).
///
/// - Difference: the content of `CD_moveReceipt` is this JSON text. Apple's is an archive that is not documented; other
///   programs have to leave it alone.
package struct MoveReceipt: Sendable, Hashable {
  package var homes: [RecordHome] = []
  /// Milliseconds since 1970.
  package var times: [Int64] = []

  package init() {}

  package mutating func add(_ home: RecordHome, at time: Int64) {
    homes.append(home)
    times.append(time)
  }

  package mutating func removeLast() {
    homes.removeLast()
    times.removeLast()
  }
}

extension MoveReceipt {
  /// What can't be understood is left out: it is of another program.
  package init(_ value: JSONValue) {
    for item in value.array ?? [] {
      guard let zone = item["zone"]?.string, let owner = item["owner"]?.string, let name = item["recordName"]?.string
      else { continue }
      add(RecordHome(ZoneHome(zone: zone, owner: owner), name), at: item["movedAt"]?.integer ?? 0)
    }
  }

  package var value: JSONValue {
    .array(
      zip(homes, times).map { home, time in
        [
          "zone": .string(home.zone.zone), "owner": .string(home.zone.owner), "recordName": .string(home.name),
          "movedAt": .integer(time),
        ]
      })
  }
}
