import LocalCloudStorage

/// A part of a zone's past. Histories branch: a zone that is repaired or restored continues from an earlier state, and
/// the changes that once followed that state are not part of the new history. Tokens and tags name their history.
package struct ZoneHistory: Sendable, Hashable {
  package var id: String
  /// The zone's sequence when the history began.
  package var after: Int64
  /// The suffix after a tag's counter, so that a tag never names two contents. The first history needs none.
  package var tagSuffix: String

  static func first(_ incarnation: String, base: Int64) -> ZoneHistory {
    ZoneHistory(id: incarnation, after: base, tagSuffix: "")
  }

  static func later(_ id: String, after: Int64) -> ZoneHistory {
    ZoneHistory(id: id, after: after, tagSuffix: "-" + id)
  }
}

extension ZoneProperties {
  /// The current history.
  package var history: ZoneHistory { histories[histories.count - 1] }

  /// Whether a token's position is in this zone's past.
  package func includes(_ history: String, _ sequence: Int64) -> Bool {
    guard let index = histories.firstIndex(where: { $0.id == history }) else { return false }
    return index == histories.count - 1 || sequence <= histories[index + 1].after
  }

  /// Begins a new history after `sequence`.
  package mutating func branch(_ id: String, after sequence: Int64) {
    histories.append(.later(id, after: sequence))
  }

  static func histories(_ value: JSONValue?, incarnation: String, base: Int64) -> [ZoneHistory]? {
    var result = [ZoneHistory.first(incarnation, base: base)]
    for item in value?.array ?? [] {
      guard let id = item["id"]?.string, !id.isEmpty, id.utf8.count <= 64, let after = item["after"]?.integer,
        LogFile.sequences.contains(after)
      else { return nil }
      result.append(.later(id, after: after))
    }
    return result
  }

  var laterHistories: JSONValue? {
    guard histories.count > 1 else { return nil }
    return .array(histories.dropFirst().map { ["id": .string($0.id), "after": .integer($0.after)] })
  }
}
