import LocalCloudStorage

/// The state of a record's file, to be compared with its zone and its zone's log.
struct RecordFileState {
  let record: StoredRecord
  private let digest: String
  private let isCanonical: Bool
  private let isPlaced: Bool

  init(_ record: StoredRecord, _ bytes: [UInt8], in properties: ZoneProperties) {
    self.record = record
    digest = Digest.hex64(bytes)
    isCanonical = record.bytes == bytes
    isPlaced = record.isPlaced(in: properties)
  }

  /// How the record differs from its last line in the log ([file-12]); that line is not a deletion. Nil if it does not
  /// differ.
  func disagreement(with line: ChangeLine, lastSave: Int64?) -> String? {
    if line.digest != digest { return "it was changed behind the program's back: its digest is not the log's" }
    if line.tag != record.tag { return "its change tag is \(record.tag), the log's is \(line.tag)" }
    if line.parent != record.parent { return "its parent is not the log's" }
    if line.type != record.type { return "its type is not the log's" }
    if line.device != record.creatingDevice { return "the device that created it is not the log's" }
    if lastSave != record.sequence { return "its sequence \(record.sequence) is not that of its last save" }
    return nil
  }

  /// The fault of a record that agrees with the log ([file-2], [file-16]).
  var fault: String? {
    if !isPlaced { return "its zoneID is not that of its zone" }
    return isCanonical ? nil : "it is not written canonically"
  }
}

extension StoredRecord {
  /// Whether the record names this zone as its own, and its share does, too.
  func isPlaced(in properties: ZoneProperties) -> Bool {
    ([object["zoneID"]] + (object["share"].map { [$0["zoneID"]] } ?? [])).allSatisfy { zone in
      zone?["zoneName"]?.string.map { ExactName($0) } == properties.name
        && zone?["ownerRecordName"]?.string?.hasSameBytes(as: properties.owner) == true
    }
  }

  /// The record, changed to name this zone.
  func placed(in properties: ZoneProperties) -> StoredRecord {
    if isPlaced(in: properties) { return self }
    var result = self
    let zone: JSONValue = [
      "ownerRecordName": .string(properties.owner), "zoneName": .string(properties.name.string),
    ]
    result.object["zoneID"] = zone
    if var share = object["share"]?.object {
      share["zoneID"] = zone
      result.object["share"] = .object(share)
    }
    return result
  }
}
