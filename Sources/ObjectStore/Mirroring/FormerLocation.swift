import LocalCloudStorage

/// The previous address of an object's or a pair's record that moved to another zone: a row of the table `state`, with
/// the address as its key. The row stays until this device sends, or receives, the deletion of the record there. Until
/// then, changes that other devices make to that record are not taken for another object.
package struct FormerLocation: Sendable {
  package enum Subject: Sendable {
    case object(RowID)
    /// A pair, by the number of its first row.
    case link(Int64)
  }

  package var number: Int64
  package var location: RecordLocation
  package var subject: Subject
  /// The change tag and the archive of the record as it was known there.
  package var tag: String?
  package var archive: String?
  /// Whether the record is known to have been there.
  package var wasSent = false
  /// Whether this device has begun to delete the record.
  package var isEnding = false

  package init(number: Int64, location: RecordLocation, subject: Subject) {
    (self.number, self.location, self.subject) = (number, location, subject)
  }

  package static func key(_ location: RecordLocation) -> String { "former \(location.key)" }
  package static func prefix(_ zone: ZoneLocation) -> String { "former \(zone.key)|" }

  package init?(_ row: MirrorRow?) {
    guard let row, let location = RecordLocation(row.values["home"]) else { return nil }
    if let object = row.objects.first {
      self.init(number: row.id, location: location, subject: .object(object))
    } else if let link = row.values["link"]?.integer {
      self.init(number: row.id, location: location, subject: .link(link))
    } else {
      return nil
    }
    tag = row.values["tag"]?.string
    archive = row.values["record"]?.string
    wasSent = row.values["sent"]?.bool ?? false
    isEnding = row.values["ending"]?.bool ?? false
  }

  package var row: MirrorRow {
    var row = MirrorRow(id: number, key: Self.key(location), values: ["home": location.value])
    switch subject {
    case .object(let id): (row.objects, row.values["object"]) = ([id], .integer(id.number))
    case .link(let number): row.values["link"] = .integer(number)
    }
    row.values["tag"] = tag.map(JSONValue.string)
    row.values["record"] = archive.map(JSONValue.string)
    if wasSent { row.values["sent"] = true }
    if isEnding { row.values["ending"] = true }
    return row
  }
}
