import LocalCloudObjectStore
import LocalCloudStorage

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
    let found = try store.read { view -> (JSONObject, StyledText)? in
      guard let id = store.id(name), let row = try view.row(id) else { return nil }
      var document = try view.document(row)
      document["related"] = .object(try view.relatedDocument(id))
      document["record"] = MirrorText.document(RecordEntry(try view.mirrorRow(id.number, in: .records))).map {
        .object($0)
      }
      return (document, try text(row, ObjectText(view: view), document["record"]))
    }
    guard let (document, text) = found else { throw CommandFailure.notFound("the store has no object \(name)") }
    try context.emit(document, text: text)
  }

  private static func text(_ row: StoredRow, _ objects: ObjectText, _ record: JSONValue?) throws -> StyledText {
    var list = DetailList("\(objects.view.store.text(row.id), .bold)")
    list.add("version", "\(row.version)")
    for (name, text) in try objects.attributes(row) + objects.relationships(row) { list.add(name, text) }
    if let record {
      list.add("record", record["name"]?.string)
      list.add("zone", "\(record["zone"]?.string ?? "") of \(record["owner"]?.string ?? "")")
      list.add("change tag", record["tag"]?.string ?? "not sent yet")
    }
    return list.text
  }
}
