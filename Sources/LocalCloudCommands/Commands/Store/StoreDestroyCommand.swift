import LocalCloudObjectStore
import LocalCloudStorage

package enum StoreDestroyCommand: Command {
  package static let description = CommandDescription(
    "store", "destroy", summary: "Remove a Core Data store with all that is in it",
    discussion: """
      An app that has the store open gets errors from then on, and makes an empty one when it is started again. What is \
      in the cloud stays there. What is no store is left alone.
      """,
    examples: [.init("Without a question", "localcloud store destroy private.sqlite --yes")],
    arguments: [.objectStore],
    options: [.flag("force", help: "also if it is damaged, and without waiting for apps that write to it")],
    exitCodes: [.failure, .notFound, .unknownFormat, .tryLater, .storage])

  package static func run(_ context: CommandContext) throws {
    let path = try context.required("store")
    let isForced = context.flag("force")
    do { _ = try ObjectStore.summary(path) } catch {
      // With --force the command also destroys a damaged store. A folder that is no store is still refused.
      guard isForced, case .notAStore = error else { throw error }
    }
    try context.confirm("remove the store \(path) with all that is in it")
    try ObjectStore.destroy(path, isForced: isForced)
    try context.report(["deleted": true, "path": .string(path)], text: "removed \(path, .bold)")
  }
}
