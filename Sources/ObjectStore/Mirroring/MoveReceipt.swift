import LocalCloudStorage

/// The previous addresses of a record, the latest one last:
/// `[{"movedAt": 1…, "owner": "…", "recordName": "…", "zone": "…"}]`.
///
/// The receipt lets the owner's other devices recognize that a record with a new address belongs to an object that they
/// already have ([mirror-14]). An import trusts only receipts that the zone's owner wrote ([mirror-42]).
///
/// - Difference: the content of `CD_moveReceipt` is this JSON text. Apple's is an archive that is not documented; other
///   programs must not change the field.
package struct MoveReceipt: Sendable, Hashable {
  package struct Move: Sendable, Hashable {
    /// The record's address before the move.
    package var location: RecordLocation
    /// Milliseconds since 1970.
    package var time: Int64
    /// For a record that its device sends anew after a reset of the encryption keys; nil for other moves.
    package var resent: Resent?

    package init(from location: RecordLocation, at time: Int64, resent: Resent? = nil) {
      (self.location, self.time, self.resent) = (location, time, resent)
    }
  }

  /// How new the values are that a device sends anew ([mirror-43]).
  package struct Resent: Sendable, Hashable {
    /// The modification date of the record's last version that the device knows, in milliseconds since 1970.
    package var version: Int64
    /// The names of the properties that the device changed after that version.
    package var edited: [String] = []

    package init(version: Int64) { self.version = version }
  }

  package var moves: [Move] = []

  package var locations: [RecordLocation] { moves.map(\.location) }

  package init(_ moves: [Move] = []) { self.moves = moves }

  package mutating func add(_ location: RecordLocation, at time: Int64) { moves.append(Move(from: location, at: time)) }

  /// The moves that fulfil a condition.
  package func filter(_ isIncluded: (Move) -> Bool) -> MoveReceipt { MoveReceipt(moves.filter(isIncluded)) }
}

extension MoveReceipt {
  /// Leaves out entries that can't be understood: other programs wrote them.
  package init(_ value: JSONValue) { moves = (value.array ?? []).compactMap { Move($0) } }

  package var value: JSONValue { .array(moves.map(\.value)) }
}

extension MoveReceipt.Move {
  fileprivate init?(_ value: JSONValue) {
    guard let zone = value["zone"]?.string, let owner = value["owner"]?.string, let name = value["recordName"]?.string
    else { return nil }
    self.init(from: RecordLocation(ZoneLocation(zone: zone, owner: owner), name), at: value["movedAt"]?.integer ?? 0)
    guard let version = value["version"]?.integer else { return }
    var resent = MoveReceipt.Resent(version: version)
    resent.edited = (value["edited"]?.array ?? []).compactMap(\.string)
    self.resent = resent
  }

  fileprivate var value: JSONValue {
    var values: JSONObject = [
      "zone": .string(location.zone.zone), "owner": .string(location.zone.owner), "recordName": .string(location.name),
      "movedAt": .integer(time),
    ]
    if let resent {
      values["version"] = .integer(resent.version)
      if !resent.edited.isEmpty { values["edited"] = .array(resent.edited.map(JSONValue.string)) }
    }
    return .object(values)
  }
}
