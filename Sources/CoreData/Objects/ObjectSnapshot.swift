import LocalCloudObjectStore

/// An object's values as its context last read or saved them: a row of a store, or the values in the parent context.
struct ObjectSnapshot {
  var version: Int64
  /// In the order of ``EntityLayout/attributes``.
  var attributes: [StoredValue]
  private var targets: Targets

  /// The targets of the to-one relationships, in the order of ``EntityLayout/toOnes``.
  private enum Targets {
    /// In the object's own store.
    case rows([RowID?])
    /// Some may not be saved yet.
    case objects([NSManagedObjectID?])
  }

  init(_ row: StoredRow) {
    version = row.version
    attributes = row.attributes
    targets = .rows(row.toOnes)
  }

  init(version: Int64, attributes: [StoredValue], toOnes: [NSManagedObjectID?]) {
    self.version = version
    self.attributes = attributes
    targets = .objects(toOnes)
  }

  /// An object's present values.
  init(of object: NSManagedObject) {
    self.init(
      version: object.committed?.version ?? 0, attributes: object.attributes,
      toOnes: object.toOnes.indices.map { index in
        object.toOnes[index].object?.stage.isLive == false ? nil : object.toOneID(index)
      })
  }

  /// Whether it is a row of a store, not the changed values of a parent context.
  var isStored: Bool {
    if case .rows = targets { true } else { false }
  }

  /// The target of a to-one relationship. `store`: the object's own store.
  func toOne(_ index: Int, in store: NSPersistentStore?) -> NSManagedObjectID? {
    switch targets {
    case .rows(let rows): rows[index].flatMap { store?.objectID($0) }
    case .objects(let ids): ids[index]
    }
  }

  /// The target's row; nil also for a target that is not in a store yet.
  func toOneRow(_ index: Int, in store: NSPersistentStore?) -> RowID? {
    switch targets {
    case .rows(let rows): rows[index]
    case .objects(let ids): ids[index].flatMap { store?.rowID($0) }
    }
  }
}
