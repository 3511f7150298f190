import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// The complete contents of a store.
struct StoreScenario: Hashable {
  var rows: [StoredRow] = []
  var links: [[RowID]] = []
  var mirror: [MirrorRow] = []
  var history: [[HistoryChange]] = []
  var horizon: Int64 = 0
  var binaries: [[UInt8]] = []

  /// The state of a new store.
  init() {}

  init(_ store: ObjectStore) throws {
    let schema = SampleStore.schema
    try store.read { view in
      for entity in schema.entities.indices {
        try view.forEachRow(of: entity) {
          rows.append($0)
          return true
        }
      }
      for row in rows {
        for relationship in schema.entities[Int(row.id.entity)].relationships
        where schema.relationships[relationship].isToMany {
          links.append(try view.related(row.id, relationship))
        }
        for case .external(let binary) in row.attributes { binaries.append(try store.contents(of: binary)) }
      }
      for table in MirrorTable.allCases {
        try view.forEachMirrorRow(keyPrefix: "", in: table) {
          mirror.append($0)
          return true
        }
      }
      horizon = try view.historyHorizon()
      history = try view.history(after: horizon).map(\.changes)
    }
  }
}
