import LocalCloudObjectStore
import LocalCloudStorage

struct StoreListCommand: Command {
  static let description = CommandDescription(
    "store", "list", summary: "List the objects of a Core Data store",
    discussion: """
      Without an entity it lists the entities, with the number of their own objects. Objects of entities below the named \
      one are listed with it. The store is read as it is after its last save; an app may have it open. With --json the \
      values are as the store's files have them: dates are seconds since 2001, and "related" has the relationships to \
      many objects.
      """,
    examples: [
      .init("What is in it", "localcloud store list private.sqlite"),
      .init("All titles", "localcloud store list private.sqlite Post --json | jq -r '.objects[].values.title'"),
    ],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  let store = Argument<String>.objectStore
  let entity = OptionalArgument<String>("entity", help: "this entity's objects")

  var arguments: [any ArgumentDeclaration] { [store, entity] }

  func run(_ context: CommandContext) throws {
    let store = try ObjectStore.stored(context[self.store])
    guard let name = context[self.entity] else { return try listEntities(store, context) }
    let entities = try store.entities(named: name)
    try store.read { view in
      let rows = try view.fetch(StoreFetch(entities: entities))
      try context.writeResult(
        list: "objects",
        try rows.map { row in
          var document = try view.document(row)
          let related = try view.relatedDocument(row.id)
          if !related.isEmpty { document["related"] = .object(related) }
          return .object(document)
        }, table: try ObjectText(view: view).table(rows))
    }
  }

  private func listEntities(_ store: ObjectStore, _ context: CommandContext) throws {
    let entities = store.schema.entities.enumerated().filter { !$1.isAbstract }
    let counts = try store.read { view in try entities.map { try view.count(StoreFetch(entities: [$0.offset])) } }
    try context.writeResult(
      list: "entities",
      zip(entities, counts).map { ["name": .string($0.element.name), "objects": .integer(Int64($1))] },
      extra: ["uuid": .string(store.identifier)],
      table: Table(["entity", "objects"], rows: zip(entities, counts).map { [$0.element.name, "\($1)"] }))
  }
}

extension ObjectStore {
  /// The entity with that name, and those below it.
  func entities(named name: String) throws -> [Int] {
    guard let entity = schema.entity(named: name) else {
      throw CommandFailure.notFound(
        "the store has no entity \(name)", hint: "it has \(schema.entities.map(\.name).joined(separator: ", "))")
    }
    return schema.entities[entity].family
  }
}

struct StoreShowCommand: Command {
  static let description = CommandDescription(
    "store", "show", summary: "Show an object of a Core Data store",
    discussion: """
      Objects are named as the store's files name them, by entity and number. Relationships to many objects are shown, \
      too: with --json as \"related\". For an object that is mirrored, \"record\" tells where it is in the cloud.
      """,
    examples: [.init("All about a post", "localcloud store show private.sqlite Post/12")],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  let store = Argument<String>.objectStore
  let object = Argument<String>("object", help: "the object: Post/12")

  var arguments: [any ArgumentDeclaration] { [store, object] }

  func run(_ context: CommandContext) throws {
    let store = try ObjectStore.stored(context[self.store])
    let name = context[object]
    let found = try store.read { view in
      try store.id(name).flatMap { try view.row($0) }.map { try view.shown($0) }
    }
    guard let (document, text) = found else { throw CommandFailure.notFound("the store has no object \(name)") }
    try context.writeResult(document, text: text)
  }
}

extension StoreView {
  /// An object with its relationships and its record, as JSON and as text.
  func shown(_ row: StoredRow) throws -> (document: JSONObject, text: StyledText) {
    var document = try document(row)
    document["related"] = .object(try relatedDocument(row.id))
    let record = MirrorText.document(try self.record(of: row.id))
    document["record"] = record.map { .object($0) }
    let objects = ObjectText(view: self)
    var list = DetailList("\(store.text(row.id), .bold)")
    list.add("version", "\(row.version)")
    for (name, text) in try objects.attributes(row) + objects.relationships(row) { list.add(name, text) }
    if let record {
      list.add("record", record["name"]?.string)
      list.add("zone", "\(record["zone"]?.string ?? "") of \(record["owner"]?.string ?? "")")
      list.add("change tag", record["tag"]?.string ?? "not sent yet")
    }
    return (document, list.text)
  }
}

struct StoreHistoryCommand: Command {
  static let description = CommandDescription(
    "store", "history", summary: "List the transactions of a Core Data store",
    discussion: """
      Each save of an app that tracks the history is a transaction, and each import of its mirroring. The token that is \
      printed last is where the next call starts. With --json each transaction has the objects that it \"inserted\", the \
      properties that it \"updated\" by object, and the values that it kept of what it \"deleted\".
      """,
    examples: [
      .init("What an app did", "localcloud store history private.sqlite"),
      .init("What happened since then", "localcloud store history private.sqlite --since \"$token\""),
      .init(
        "Only the token of now", "token=$(localcloud store history private.sqlite --json | jq -r .token)"),
    ],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  let store = Argument<String>.objectStore
  let since = Option<Int>("since", "TOKEN", .wholeNumber(), help: "a token from an earlier call")
  let limit = QueryOptions.limit()

  var arguments: [any ArgumentDeclaration] { [store] }
  var options: [any OptionDeclaration] { [since, limit] }

  func run(_ context: CommandContext) throws {
    let store = try ObjectStore.stored(context[self.store])
    let limit = context[self.limit] ?? .max
    let since = context[self.since]
    let (documents, token) = try store.read { view in
      let start = try since.map(Int64.init) ?? view.historyHorizon()
      let found = try view.history(after: start, limit: limit)
      // Transactions that are in no history have numbers, too.
      let token = try found.count < limit ? max(start, view.head()) : found.last?.number ?? start
      return (found.map { view.document($0) }, token)
    }
    try context.writeResult(
      list: "transactions", documents.map { .object($0) }, extra: ["token": .integer(token)],
      table: Table(
        ["transaction", "time", "author", "program", "inserted", "updated", "deleted"], rows: documents.map(row)))
    if !context.format.isJSON { try context.writeUnlessQuiet([:], text: "token \(token)") }
  }

  private func row(_ document: JSONObject) -> [String] {
    func count(_ name: String) -> String {
      "\(document[name]?.array?.count ?? document[name]?.object?.count ?? 0)"
    }
    return [
      document["transaction"]?.description ?? "", document["time"]?.string ?? "", document["author"]?.string ?? "",
      document["bundle"]?.string ?? "", count("inserted"), count("updated"), count("deleted"),
    ]
  }
}

struct StoreSyncCommand: Command {
  static let description = CommandDescription(
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
    ], exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  let store = Argument<String>.objectStore

  var arguments: [any ArgumentDeclaration] { [store] }

  /// The largest number of waiting objects in the text output; JSON has all.
  private static let shown = 20

  func run(_ context: CommandContext) throws {
    let store = try ObjectStore.stored(context[self.store])
    guard let overview = try store.read({ try MirrorOverview($0) }) else {
      return try context.writeResult(["mirrored": false], text: "The store is not mirrored.")
    }
    let text = MirrorText(store: store, mirroringHolder: MirroringLease(store).holder(), people: people(context))
    try context.writeResult(
      text.document(overview), table: text.waiting(overview),
      text: text.text(overview, shown: Self.shown, width: context.output.tableWidth))
  }

  /// Nil without a cloud: a store can be inspected without its cloud.
  private func people(_ context: CommandContext) -> People? {
    (try? context.session(as: .administrator)).flatMap { try? People($0) }
  }
}

struct StoreEventsCommand: Command {
  static let description = CommandDescription(
    "store", "events", summary: "List what a store's mirroring did",
    discussion: """
      Each setup, import and export that has ended, the last ones first; a store keeps its last 1000. With --json an \
      event's \"error\" has the errors of single records as \"items\".
      """,
    examples: [
      .init("What went wrong", "localcloud store events private.sqlite --failed"),
      .init(
        "The records that were refused",
        "localcloud store events private.sqlite --json | jq '.events[0].error.items[]?.name'"),
    ],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  let store = Argument<String>.objectStore
  let failed = Flag("failed", help: "only those that failed")
  let limit = QueryOptions.limit("at most so many; 20 otherwise")

  var arguments: [any ArgumentDeclaration] { [store] }
  var options: [any OptionDeclaration] { [failed, limit] }

  func run(_ context: CommandContext) throws {
    let store = try ObjectStore.stored(context[self.store])
    let limit = context[self.limit] ?? 20
    var events: [EventEntry] = try store.read { try EventEntry.all($0) }.reversed()
    if context[failed] { events.removeAll { $0.failure == nil } }
    events.removeLast(max(0, events.count - limit))
    try context.writeResult(
      list: "events", events.map { .object(MirrorText.document($0)) },
      table: Table(
        ["time", "event", Table.Column("took", .right), "outcome"],
        rows: events.map { event in
          [
            Timestamp.text(milliseconds: Int64(event.start * 1000)), "\(event.kind)",
            "\(Int64(((event.end - event.start) * 1000).rounded())) ms",
            event.failure.map(MirrorText.line) ?? "succeeded",
          ]
        }))
  }
}

struct StoreMetadataCommand: Command {
  static let description = CommandDescription(
    "store", "metadata", summary: "Show what a Core Data store says of itself",
    discussion: """
      Its UUID, the entities of the model that it was made or last migrated with, each with the hash of its version, and \
      the metadata that its app keeps in it. With --json the entities are under \"schema\", as in the store's store.json.
      """,
    examples: [.init("Which version of its model", "localcloud store metadata private.sqlite")],
    exitCodes: [.notFound, .unknownFormat, .storage])

  let store = Argument<String>.objectStore

  var arguments: [any ArgumentDeclaration] { [store] }

  func run(_ context: CommandContext) throws {
    let summary = try ObjectStore.summary(context[store])
    try context.writeResult(summary.document, text: text(summary))
  }

  private func text(_ summary: StoreDescription) -> StyledText {
    var list = DetailList("\(summary.identifier, .bold)")
    for entity in summary.schema.entities { list.add(entity.name, entity.versionHash) }
    for (key, value) in summary.metadata { list.add(key, value.string ?? value.description) }
    return list.text
  }
}
