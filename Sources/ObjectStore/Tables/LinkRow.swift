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

/// A row of a mirroring table as a line: `{"id":…,"key":"…","objects":["Post/12"],"values":{…}}`.
extension MirrorRow {
  func encode(into writer: inout JSONWriter, _ names: EntityNames) {
    writer.begin(.object)
    writer.member("id", id)
    writer.member("key", key)
    if !objects.isEmpty {
      writer.key("objects")
      writer.add(.array(objects.map { .string(names.text($0)) }))
    }
    writer.key("values")
    writer.add(.object(values))
    writer.end(.object)
    writer.endLine()
  }

  /// Nil if the line is not a mirroring row.
  ///
  /// - Parameter find: finds an object by its number, for lines that earlier versions wrote without the entities.
  init?(
    _ line: JSONValue, in table: MirrorTable, _ names: EntityNames, find: (Int64) throws -> RowID?
  ) rethrows {
    guard let id = line["id"]?.integer, let values = line["values"]?.object else { return nil }
    let numbers =
      table == .records ? [id] : ["object", "moved", "forward", "backward"].compactMap { values[$0]?.integer }
    var objects = line["objects"]?.array?.compactMap { $0.string.flatMap { names.id($0) } } ?? []
    if objects.map(\.number) != numbers { objects = try numbers.map { try find($0) ?? .unknown($0) } }
    self.init(id: id, key: line["key"]?.string, objects: objects, values: values)
  }
}
