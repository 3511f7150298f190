import Storage

extension JournalEntry.Effect {
  /// What the journal holds of it behind the description.
  var blob: [UInt8]? {
    switch self {
    case .replace(_, let bytes), .append(_, _, let bytes): bytes
    case .remove, .compact, .adopt, .removeZone: nil
    }
  }

  func encode(into writer: inout JSONWriter) {
    writer.begin(.object)
    switch self {
    case .replace(let path, let bytes):
      writer.member("length", Int64(bytes.count))
      writer.member("replace", path.text)
    case .remove(let path):
      writer.member("remove", path.text)
    case .append(let path, let offset, let bytes):
      writer.member("append", path.text)
      writer.member("length", Int64(bytes.count))
      writer.member("offset", Int64(offset))
    case .adopt(let asset, let upload):
      writer.member("adopt", FilePath.asset(asset).text)
      writer.member("upload", upload)
    case .removeZone:
      writer.key("removeZone")
      writer.add(.bool(true))
    case .compact(let compaction):
      compaction.encodeMembers(into: &writer)
    }
    writer.end(.object)
  }
}

extension JournalEntry.Compaction {
  init?(_ item: JSONValue) {
    guard let path = item["compact"]?.string.flatMap(FilePath.init(text:)), path.isLog,
      let horizon = item["horizon"]?.integer, LogFile.sequences.contains(horizon),
      let superseded = item["superseded"]?.integer, LogFile.sequences.contains(superseded),
      let from = item["from"]?.integer, from >= 0, let size = item["size"]?.integer, size >= 0,
      let tail = item["tail"]?.integer, tail >= 0, let digest = item["digest"]?.string
    else { return nil }
    self.init(
      path: path, horizon: horizon, superseded: superseded, from: Int(from), size: Int(size), digest: digest,
      tail: Int(tail))
  }

  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    writer.member("compact", path.text)
    writer.member("digest", digest)
    writer.member("from", Int64(from))
    writer.member("horizon", horizon)
    writer.member("size", Int64(size))
    writer.member("superseded", superseded)
    writer.member("tail", Int64(tail))
  }
}

extension JournalEntry.Mention {
  init?(_ item: JSONValue) {
    guard let container = item["container"]?.string, let environment = item["environment"]?.string,
      let scope = item["scope"]?.array?.compactMap(\.string), !scope.isEmpty,
      let zone = item["zone"]?.string, let fields = item["fields"]?.object
    else { return nil }
    self.init(
      database: DatabasePath(container: ExactName(container), environment: environment, scope: scope),
      zone: ExactName(zone), owner: item["owner"]?.string.map { ExactName($0) }, fields: fields)
  }

  var value: JSONValue {
    var object: JSONObject = [
      "container": .string(database.container.string), "environment": .string(database.environment),
      "scope": .array(database.scope.map { .string($0) }), "zone": .string(zone.string), "fields": .object(fields),
    ]
    if let owner { object["owner"] = .string(owner.string) }
    return .object(object)
  }
}
