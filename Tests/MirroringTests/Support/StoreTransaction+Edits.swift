import LocalCloudObjectStore
import Testing

/// Edits by names, as a program makes them.
extension StoreTransaction {
  func set(_ id: RowID, _ name: String, _ value: StoredValue) throws {
    var row = try #require(try row(id))
    row[name] = value
    try update(row, changed: [name])
  }

  func relate(_ id: RowID, _ name: String, to target: RowID?) throws {
    var row = try #require(try row(id))
    let toOnes = TestModel.schema.entities[Int(id.entity)].toOnes
    row.toOnes[try #require(toOnes.firstIndex { TestModel.schema.relationships[$0].name == name })] = target
    try update(row, changed: [name])
  }

  func link(_ id: RowID, _ name: String, to other: RowID, _ isLinked: Bool) throws {
    let relationship = TestModel.relationship(name, of: Int(id.entity))
    if isLinked {
      try link(id, relationship, to: other)
    } else {
      try unlink(id, relationship, from: other)
    }
    try update(try #require(try row(id)), changed: [name])
  }

  /// Deletes an object and clears the references to it, as Core Data does.
  func deleteObject(_ id: RowID) throws {
    for entity in TestModel.schema.entities.indices {
      try forEachRow(of: entity) { row in
        var row = row
        for index in row.toOnes.indices where row.toOnes[index] == id && row.id != id {
          row.toOnes[index] = nil
          let relationship = TestModel.schema.entities[entity].toOnes[index]
          try update(row, changed: [TestModel.schema.relationships[relationship].name])
        }
        return true
      }
    }
    try delete(id)
  }
}
