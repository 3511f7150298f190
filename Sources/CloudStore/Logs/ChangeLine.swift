import LocalCloudStorage

/// One line of a zone's change log.
package struct ChangeLine: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case save
    case delete
    /// A child was saved, so the parent has a new tag. Feeds skip it.
    case touch
  }

  package var sequence: Int64
  package var kind: Kind
  package var record: ExactName
  package var type: String
  package var tag: String
  package var parent: ExactName?
  /// The device that created the record: fetches without a token report deletions only to this device.
  package var device: String
  /// The share that the record was in before, and is in now: the name of the share's record.
  package var shareBefore: ExactName?
  package var shareAfter: ExactName?
  /// The digest of the record file's bytes; nil for a deletion.
  package var digest: String?
  /// In a commit's last line: the number of lines that were ever superseded in this zone, by later lines of the same
  /// records.
  package var superseded: Int64?
  /// The long-lived operation that made the change. A process that finishes the operation finds its completed changes
  /// by it.
  package var operation: String?
  /// The time and the author of the change; nil for a touch, in lines of repair, and in lines from before it was
  /// recorded.
  package var stamp: ChangeStamp?
  /// The names of the fields that a save changed, sorted; nil if they were not recorded.
  package var fields: [String]?
  /// The names of the other members that a save changed, such as `parent`; nil if there are none.
  package var members: [String]?

  /// More bytes of names than this are not recorded, so that a line stays short.
  static let recordedBytes = 1024

  /// Records the names of the fields and members that a save changes.
  mutating func recordDifference(from before: StoredRecord?, to after: StoredRecord) {
    let (fields, members) = StoredRecord.difference(before?.object, after.object)
    guard (fields + members).reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.recordedBytes else { return }
    self.fields = fields
    self.members = members.isEmpty ? nil : members
  }

  func encode(into writer: inout JSONWriter) {
    writer.begin(.object)
    writer.member("device", device)
    writer.member("digest", digest)
    writer.member("fields", fields?.joined(separator: ","))
    writer.member("kind", kind.rawValue)
    writer.member("members", members?.joined(separator: ","))
    writer.member("operation", operation)
    writer.member("parent", parent?.string)
    writer.member("recordChangeTag", tag)
    writer.member("recordName", record.string)
    writer.member("recordType", type)
    writer.member("sequence", sequence)
    writer.member("shareAfter", shareAfter?.string)
    writer.member("shareBefore", shareBefore?.string)
    writer.member("superseded", superseded)
    writer.member("time", stamp?.milliseconds)
    writer.member("user", stamp?.user)
    // Most records are changed on the device that created them.
    writer.member("userDevice", stamp?.device == device ? nil : stamp?.device)
    writer.end(.object)
    writer.endLine()
  }

  /// The keys that a compaction reads, in a zone's log and in a share's.
  static let schema = LogSchema(
    subject: "recordName", outcome: "kind",
    outcomes: [
      Kind.save.rawValue: .present, Kind.touch.rawValue: .touched, Kind.delete.rawValue: .gone,
      ShareLine.Kind.inside.rawValue: .present, ShareLine.Kind.outside.rawValue: .gone,
    ])

  /// Throws ``StorageError/damaged(path:reason:)`` for a line that is not a change.
  init(_ line: LogFile.Line, of log: LogFile) throws {
    guard let change = ChangeLine(line.value) else {
      throw StorageError.damaged(path: log.file.path, reason: "the line at byte \(line.offset) is not a change")
    }
    self = change
  }

  init?(_ value: JSONValue) {
    guard let sequence = value["sequence"]?.integer, let kind = value["kind"]?.string.flatMap(Kind.init),
      let record = value["recordName"]?.string, let type = value["recordType"]?.string,
      let tag = value["recordChangeTag"]?.string, let device = value["device"]?.string,
      [record, type, device].allSatisfy({ StoredRecord.canBe(ExactName($0)) })
    else { return nil }
    self.init(
      sequence: sequence, kind: kind, record: ExactName(record), type: type, tag: tag, device: device,
      parent: value["parent"]?.string.map { ExactName($0) },
      shareBefore: value["shareBefore"]?.string.map { ExactName($0) },
      shareAfter: value["shareAfter"]?.string.map { ExactName($0) }, digest: value["digest"]?.string)
    superseded = value["superseded"]?.integer
    operation = value["operation"]?.string
    stamp = ChangeStamp(value, creatingDevice: device)
    func names(_ key: String) -> [String]? {
      value[key]?.string.map { $0.split(separator: ",").map(String.init) }
    }
    (fields, members) = (names("fields"), names("members"))
  }

  init(
    sequence: Int64, kind: Kind, record: ExactName, type: String, tag: String, device: String, parent: ExactName? = nil,
    shareBefore: ExactName? = nil, shareAfter: ExactName? = nil, digest: String? = nil
  ) {
    self.sequence = sequence
    self.kind = kind
    self.record = record
    self.type = type
    self.tag = tag
    self.device = device
    self.parent = parent
    self.shareBefore = shareBefore
    self.shareAfter = shareAfter
    self.digest = digest
  }
}

/// The time and the author of a change.
package struct ChangeStamp: Sendable, Hashable {
  /// Since 1970.
  package var milliseconds: Int64
  /// A user record name; nil for the zone's owner.
  package var user: String?
  package var device: String

  package init(milliseconds: Int64, user: String?, device: String) {
    (self.milliseconds, self.user, self.device) = (milliseconds, user, device)
  }

  /// Nil if a member has another type.
  fileprivate init?(_ line: JSONValue, creatingDevice: String) {
    guard let milliseconds = line["time"]?.integer, line["user"] == nil || line["user"]?.string != nil,
      let device = line["userDevice"] == nil ? creatingDevice : line["userDevice"]?.string
    else { return nil }
    self.init(milliseconds: milliseconds, user: line["user"]?.string, device: device)
  }
}

/// One line of a share's own log, in the owner's zone. A participant's feed is made from these lines.
package struct ShareLine: Sendable, Hashable {
  package enum Kind: String, Sendable {
    /// The record entered the share, or changed inside it.
    case inside = "in"
    /// The record left the share, or was deleted.
    case outside = "out"
  }

  package var sequence: Int64
  package var kind: Kind
  package var record: ExactName
  package var type: String

  package init(sequence: Int64, kind: Kind, record: ExactName, type: String) {
    self.sequence = sequence
    self.kind = kind
    self.record = record
    self.type = type
  }

  func encode(into writer: inout JSONWriter) {
    writer.begin(.object)
    writer.member("kind", kind.rawValue)
    writer.member("recordName", record.string)
    writer.member("recordType", type)
    writer.member("sequence", sequence)
    writer.end(.object)
    writer.endLine()
  }

  init?(_ value: JSONValue) {
    guard let sequence = value["sequence"]?.integer, let kind = value["kind"]?.string.flatMap(Kind.init),
      let record = value["recordName"]?.string, let type = value["recordType"]?.string,
      [record, type].allSatisfy({ StoredRecord.canBe(ExactName($0)) })
    else { return nil }
    self.init(sequence: sequence, kind: kind, record: ExactName(record), type: type)
  }
}
