import LocalCloudObjectStore
import LocalCloudStorage

/// The complete contents of a store as texts, independent of its model.
struct MigrationScenario: Hashable {
  var objects: [String] = []
  var mirror: [String] = []
  var history: [String] = []
  var binaries: [[UInt8]] = []

  init(_ path: String) throws {
    let store = try ObjectStore.stored(path)
    try store.read { view in
      for entity in store.schema.entities.indices {
        try view.forEachRow(of: entity) { row in
          var document = try view.document(row)
          document["related"] = .object(try view.relatedDocument(row.id))
          objects.append(JSONValue.object(document).description)
          for case .external(let binary) in row.attributes { binaries.append(try store.contents(of: binary)) }
          return true
        }
      }
      for table in MirrorTable.allCases {
        try view.forEachMirrorRow(keyPrefix: "", in: table) {
          mirror.append("\(table) \($0)")
          return true
        }
      }
      for transaction in try view.history(after: view.historyHorizon()) {
        let changes = transaction.changes.map { change in
          switch change {
          case .insert(let id): "insert \(store.text(id))"
          case .update(let id, let names): "update \(store.text(id)) \(names)"
          case .delete(let id, let values): "delete \(store.text(id)) \(values.keys.sorted())"
          }
        }
        history.append("\(transaction.number) \(transaction.author ?? "") \(changes)")
      }
    }
  }
}
