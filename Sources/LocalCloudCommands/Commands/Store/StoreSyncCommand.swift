import LocalCloudObjectStore
import LocalCloudStorage

package enum StoreSyncCommand: Command {
  package static let description = CommandDescription(
    "store", "sync", summary: "Show what a Core Data store has not sent yet",
    discussion: """
      For a store that an NSPersistentCloudKitContainer mirrors: whose it is, the process that mirrors it at this \
      moment, if one does, its zones, the objects and links that wait to be sent, and references to records that have \
      not come. \"store events\" tells how the last runs went; what a device does itself sends no push to that device. \
      With --json all objects are listed, and the tokens from which \"changes --since\" goes on.
      """,
    examples: [
      .init("Why does nothing arrive?", "localcloud store sync private.sqlite"),
      .init("Wait until all is sent", "localcloud store sync private.sqlite --json | jq -e '.waiting == []'"),
    ],
    arguments: [.objectStore], exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  /// The largest number of waiting objects in the text output; JSON has all.
  private static let shown = 20

  package static func run(_ context: CommandContext) throws {
    let store = try context.objectStore()
    guard let overview = try store.read({ try MirrorOverview($0) }) else {
      return try context.emit(["mirrored": false], text: "The store is not mirrored.")
    }
    let text = MirrorText(store: store, mirroringHolder: MirroringLease(store).holder(), people: people(context))
    try context.emit(
      text.document(overview), text: text.text(overview, shown: shown, width: context.output.tableWidth))
  }

  /// Nil without a cloud: a store can be inspected without its cloud.
  private static func people(_ context: CommandContext) -> People? {
    (try? context.session(as: .administrator)).flatMap { try? People($0) }
  }
}
