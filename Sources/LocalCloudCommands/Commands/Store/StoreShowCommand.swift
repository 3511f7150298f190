import ObjectStore
import Storage

package enum StoreShowCommand: Command {
  package static let description = CommandDescription(
    "store", "show", summary: "Show an object of a Core Data store",
    discussion: """
      Objects are named as the store's files name them, by entity and number. Relationships to many objects are shown, \
      too: with --json as \"related\". For an object that is mirrored, \"record\" tells where it is in the cloud.
      """,
    examples: [.init("All about a post", "localcloud store show private.sqlite Post/12")],
    arguments: [.objectStore, ArgumentDescription("object", help: "the object: Post/12")],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  package static func run(_ context: CommandContext) throws {
    let store = try context.objectStore()
    let name = context.positional("object") ?? ""
    let document = try store.read { view -> JSONObject? in
      guard let id = store.id(name), let row = try view.row(id) else { return nil }
      var document = try view.document(row)
      document["related"] = .object(try view.relatedDocument(id))
      document["record"] = MirrorText.document(RecordEntry(try view.mirrorRow(id.number, in: .records))).map {
        .object($0)
      }
      return document
    }
    guard let document else { throw CommandFailure.notFound("the store has no object \(name)") }
    try context.emit(document, text: text(document, name))
  }

  private static func text(_ document: JSONObject, _ name: String) -> StyledText {
    var list = DetailList("\(name, .bold)")
    list.add("version", document["version"]?.description)
    for (key, value) in document["values"]?.object ?? [:] { list.add(key, value.string ?? value.description) }
    for (key, value) in document["related"]?.object ?? [:] {
      list.add(key, (value.array ?? []).compactMap(\.string).joined(separator: ", "))
    }
    if let record = document["record"] {
      list.add("record", record["name"]?.string)
      list.add("zone", "\(record["zone"]?.string ?? "") of \(record["owner"]?.string ?? "")")
      list.add("change tag", record["tag"]?.string ?? "not sent yet")
    }
    return list.text
  }
}
