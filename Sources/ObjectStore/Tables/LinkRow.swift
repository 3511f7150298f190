import LocalCloudStorage

/// A link of two objects as a line: `{"from":"Post/1","id":20,"position":3,"to":"Tag/2"}`.
extension LinkKey {
  func encode(into writer: inout JSONWriter, _ names: EntityNames) {
    writer.begin(.object)
    writer.member("from", names.text(from))
    writer.member("id", number)
    writer.member("inversePosition", inversePosition == 0 ? nil : inversePosition)
    writer.member("position", position == 0 ? nil : position)
    writer.member("to", names.text(to))
    writer.end(.object)
    writer.endLine()
  }

  /// Nil if the line is not a link.
  init?(_ line: JSONValue, table: Int, _ names: EntityNames) {
    guard let number = line["id"]?.integer, let from = line["from"]?.string.flatMap({ names.id($0) }),
      let to = line["to"]?.string.flatMap({ names.id($0) })
    else { return nil }
    self.init(
      table: table, from: from, to: to, number: number, position: line["position"]?.integer ?? 0,
      inversePosition: line["inversePosition"]?.integer ?? 0)
  }
}

/// A row of a mirroring table as a line: `{"id":…,"key":"…","values":{…}}`.
extension MirrorRow {
  func encode(into writer: inout JSONWriter) {
    writer.begin(.object)
    writer.member("id", id)
    writer.member("key", key)
    writer.key("values")
    writer.add(.object(values))
    writer.end(.object)
    writer.endLine()
  }

  /// Nil if the line is not a mirroring row.
  init?(_ line: JSONValue) {
    guard let id = line["id"]?.integer, let values = line["values"]?.object else { return nil }
    self.init(id: id, key: line["key"]?.string, values: values)
  }
}
