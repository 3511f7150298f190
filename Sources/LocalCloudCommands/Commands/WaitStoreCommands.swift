import LocalCloudEmulator
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct WaitObjectCommand: Command {
  static let description = CommandDescription(
    "wait", "object", summary: "Wait for an object of a Core Data store",
    discussion: """
      Prints the first object of the entity, or of one below it, that the predicate accepts, as "store show" does. The \
      predicate has the form of NSPredicate's. The store need not exist yet. An app may have it open.
      """,
    examples: [
      .init("Of an app that imports", "localcloud wait object private.sqlite Post"),
      .init(
        "With a value", "localcloud wait object private.sqlite Post --until 'title == \"Milk\" AND stars > 2'"),
    ],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage, .timedOut, .interrupted, .terminated])

  let store = Argument<String>.objectStore
  let entity = Argument<String>("entity", help: "the entity")
  let until = Option<String>("until", "PREDICATE", help: "only an object that it accepts")
  let limit = WaitOptions()

  var arguments: [any ArgumentDeclaration] { [store, entity] }
  var options: [any OptionDeclaration] { [until] + limit.options }

  func run(_ context: CommandContext) throws {
    let (path, name) = (context[store], context[entity])
    let predicate = try context[until].map { try PredicateTree(format: $0) }
    let found = try limit.wait(context, nil) {
      try WatchedFolders(path: path)
    } until: { () throws -> Look<(document: JSONObject, text: StyledText)> in
      guard let store = try ObjectStore.storedIfPresent(path) else { return .unmet("there is no store at \(path)") }
      var fetch = StoreFetch(entities: try store.entities(named: name), predicate: predicate)
      fetch.limit = 1
      if let shown = try store.read({ view in try view.fetch(fetch).first.map { try view.shown($0) } }) {
        return .met(shown)
      }
      fetch.predicate = nil
      let isEmpty = try store.read { try $0.count(fetch) } == 0
      return .unmet(isEmpty ? "the store has no \(name)" : "the predicate accepts no \(name)")
    }
    try context.writeResult(found.document, text: found.text)
  }
}

struct WaitStoreCommand: Command {
  static let description = CommandDescription(
    "wait", "store", summary: "Wait until a mirrored Core Data store has sent and fetched all",
    discussion: """
      Ends once the store that an NSPersistentCloudKitContainer mirrors has no object and no link that waits to be sent, \
      and the cloud has no change for it that it has not fetched. A program has to mirror it meanwhile. What is in the \
      cloud is read as the account that the store is mirrored for. Prints what "store sync" does.
      """,
    examples: [.init("After an app has saved", "localcloud wait store private.sqlite --timeout 60")],
    exitCodes: [.noStore, .notFound, .unknownFormat, .tryLater, .storage, .timedOut, .interrupted, .terminated])

  let store = Argument<String>.objectStore
  let limit = WaitOptions()

  var arguments: [any ArgumentDeclaration] { [store] }
  var options: [any OptionDeclaration] { limit.options }

  func run(_ context: CommandContext) throws {
    let path = context[store]
    let session = try context.lastingSession(as: .administrator)
    let found = try limit.wait(context, session) {
      try watchedFolders(path, session.current)
    } until: { () throws -> Look<(ObjectStore, MirrorOverview)> in
      guard let store = try ObjectStore.storedIfPresent(path) else { return .unmet("there is no store at \(path)") }
      return try store.read { view throws -> Look<(ObjectStore, MirrorOverview)> in
        guard let overview = try MirrorOverview(view) else { return .unmet("the store is not mirrored") }
        if let waiting = MirrorProgress.unsent(overview) { return .unmet(waiting) }
        if let waiting = try MirrorProgress(overview, session.current).unfetched(view) { return .unmet(waiting) }
        return .met((store, overview))
      }
    }
    let text = MirrorText(
      store: found.0, mirroringHolder: MirroringLease(found.0).holder(), people: try People(session.current))
    try context.writeResult(
      text.document(found.1), text: text.text(found.1, shown: 0, width: context.output.tableWidth))
  }

  /// The store's folder, and the databases of the account that it is mirrored for.
  private func watchedFolders(_ path: String, _ session: Session) throws -> WatchedFolders {
    let folders = try WatchedFolders(path: path)
    guard let store = try? ObjectStore.stored(path), let overview = try store.read({ try MirrorOverview($0) }) else {
      return folders
    }
    return try folders + MirrorProgress(overview, session).watchedFolders()
  }
}

extension ObjectStore {
  /// The store at a path; nil if there is none.
  fileprivate static func storedIfPresent(_ path: String) throws(ObjectStoreError) -> ObjectStore? {
    do { return try stored(path) } catch {
      guard case .missing = error else { throw error }
      return nil
    }
  }
}
