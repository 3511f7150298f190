import LocalCloudObjectStore

package enum StoreRepairCommand: Command {
  package static let description = CommandDescription(
    "store", "repair", summary: "Make a damaged Core Data store usable again",
    discussion: """
      Lines that are objects are kept as they are. What is no part of a store, or can't be read, is moved to the folder \
      `aside` in the store, under the path it had; `notes.jsonl` there tells of each line. An object whose last line is set \
      aside is again what its line before says. The index is made anew, and a history behind what is damaged in it. What \
      is left then needs a person, and is listed as "store check" lists it. A damaged store.json can't be repaired.
      """,
    examples: [.init("After a file was edited by hand", "localcloud store repair private.sqlite")],
    arguments: [.objectStore], exitCodes: [.notFound, .unknownFormat, .problemsFound, .tryLater, .storage, .unread])

  package static func run(_ context: CommandContext) throws {
    try context.emit(ObjectStore.repair(context.required("store")))
  }
}
