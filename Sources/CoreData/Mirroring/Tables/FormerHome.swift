import ObjectStore
import Storage

/// Where the record of an object or of a pair was before it moved to another zone: a row of the table `state`, with the
/// home's key. It is there until the record's deletion was sent, or was heard of, so that what others still do to the
/// record there is not taken for another object.
struct FormerHome: Sendable {
  enum Subject: Sendable {
    case object(Int64)
    /// The pair whose first row that is.
    case link(Int64)
  }

  var number: Int64
  var home: RecordHome
  var subject: Subject
  /// The change tag and the archive of the record as it was known there.
  var tag: String?
  var archive: String?
  /// Whether this device has begun to delete the record.
  var isEnding = false

  init(number: Int64, home: RecordHome, subject: Subject) {
    (self.number, self.home, self.subject) = (number, home, subject)
  }

  static func key(_ home: RecordHome) -> String { "former \(home.key)" }
  static func prefix(_ zone: ZoneHome) -> String { "former \(zone.key)|" }

  init?(_ row: MirrorRow?) {
    guard let row, let home = RecordHome(row.values["home"]) else { return nil }
    if let object = row.values["object"]?.integer {
      self.init(number: row.id, home: home, subject: .object(object))
    } else if let link = row.values["link"]?.integer {
      self.init(number: row.id, home: home, subject: .link(link))
    } else {
      return nil
    }
    tag = row.values["tag"]?.string
    archive = row.values["record"]?.string
    isEnding = row.values["ending"]?.bool ?? false
  }

  var row: MirrorRow {
    var values: JSONObject = ["home": home.value]
    switch subject {
    case .object(let number): values["object"] = .integer(number)
    case .link(let number): values["link"] = .integer(number)
    }
    values["tag"] = tag.map(JSONValue.string)
    values["record"] = archive.map(JSONValue.string)
    if isEnding { values["ending"] = true }
    return MirrorRow(id: number, key: Self.key(home), values: values)
  }
}

extension StoreEdits {
  func former(_ home: RecordHome) throws -> FormerHome? {
    FormerHome(try row(key: FormerHome.key(home), in: .state))
  }

  func put(_ former: FormerHome) { put(former.row, in: .state) }

  /// Notes that an object's record has another home from now on. `known`: its entry as it was.
  func leave(_ known: RecordEntry) throws {
    var former =
      try former(known.home)
      ?? FormerHome(number: transaction.newNumber(), home: known.home, subject: .object(known.number))
    (former.subject, former.tag, former.archive) = (.object(known.number), known.tag, known.archive)
    former.isEnding = false
    put(former)
  }

  func leave(_ link: LinkEntry) throws {
    let number = try former(link.home)?.number ?? transaction.newNumber()
    put(FormerHome(number: number, home: link.home, subject: .link(link.rows[0])))
  }

  func forget(former home: RecordHome) throws {
    if let row = try row(key: FormerHome.key(home), in: .state) { remove(row.id, from: .state) }
  }
}
