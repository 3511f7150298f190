import LocalCloudObjectStore
import LocalCloudStorage

package enum StoreMetadataCommand: Command {
  package static let description = CommandDescription(
    "store", "metadata", summary: "Show what a Core Data store says of itself",
    discussion: """
      Its UUID, the entities of the model that it was made or last migrated with, each with the hash of its version, and \
      the metadata that its app keeps in it. With --json the entities are under \"schema\", as in the store's store.json.
      """,
    examples: [.init("Which version of its model", "localcloud store metadata private.sqlite")],
    arguments: [.objectStore], exitCodes: [.notFound, .unknownFormat, .storage])

  package static func run(_ context: CommandContext) throws {
    let summary = try ObjectStore.summary(context.required("store"))
    try context.emit(summary.document, text: text(summary))
  }

  private static func text(_ summary: StoreSummary) -> StyledText {
    var list = DetailList("\(summary.identifier, .bold)")
    for entity in summary.schema.entities { list.add(entity.name, entity.versionHash) }
    for (key, value) in summary.metadata { list.add(key, value.string ?? value.description) }
    return list.text
  }
}
