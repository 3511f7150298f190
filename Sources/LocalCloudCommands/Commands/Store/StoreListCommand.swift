import LocalCloudObjectStore
import LocalCloudStorage

package enum StoreListCommand: Command {
  package static let description = CommandDescription(
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
    arguments: [.objectStore, ArgumentDescription("entity", optional: true, help: "this entity's objects")],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  package static func run(_ context: CommandContext) throws {
    let store = try context.objectStore()
    guard let name = context.positional("entity") else { return try listEntities(store, context) }
    guard let entity = store.schema.entity(named: name) else {
      throw CommandFailure.notFound(
        "the store has no entity \(name)", hint: "it has \(store.schema.entities.map(\.name).joined(separator: ", "))")
    }
    try store.read { view in
      let rows = try view.fetch(StoreFetch(entities: store.schema.entities[entity].family))
      try context.emit(
        list: "objects",
        try rows.map { row in
          var document = try view.document(row)
          let related = try view.relatedDocument(row.id)
          if !related.isEmpty { document["related"] = .object(related) }
          return .object(document)
        }, table: try ObjectText(view: view).table(rows))
    }
  }

  private static func listEntities(_ store: ObjectStore, _ context: CommandContext) throws {
    let entities = store.schema.entities.enumerated().filter { !$1.isAbstract }
    let counts = try store.read { view in try entities.map { try view.count(StoreFetch(entities: [$0.offset])) } }
    try context.emit(
      list: "entities",
      zip(entities, counts).map { ["name": .string($0.element.name), "objects": .integer(Int64($1))] },
      extra: ["uuid": .string(store.identifier)],
      table: Table(["entity", "objects"], rows: zip(entities, counts).map { [$0.element.name, "\($1)"] }))
  }
}
