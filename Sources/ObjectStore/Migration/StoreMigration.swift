import LocalCloudPlatform
import LocalCloudStorage

/// Makes a store for another version of the model beside the present one, and replaces the present one with it in one
/// step: a process sees either the old store or the complete new one.
///
/// Several transactions of the new store fill it, each with a limited number of rows. UUID, history, and the numbers
/// and versions of objects stay. No process writes to the old store during the migration. A process that has the old
/// store open gets an error at its next access.
struct StoreMigration {
  private let source: ObjectStore
  private let mapping: StoreMapping
  /// Whether a row of the mirroring stays, and how.
  private let mirrorRow: (MirrorTable, MirrorRow, StoreView) throws -> MirrorRow?
  private let checkpoint: () throws -> Void
  private let targets: [Int?]

  /// At most so many rows are read and written together, or those whose lines have so many bytes.
  private static let (mostRows, mostBytes) = (2_000, 4 << 20)

  init(
    _ source: ObjectStore, _ mapping: StoreMapping,
    _ mirrorRow: @escaping (MirrorTable, MirrorRow, StoreView) throws -> MirrorRow?,
    checkpoint: @escaping () throws -> Void
  ) {
    self.checkpoint = checkpoint
    self.source = source
    self.mapping = mapping
    self.mirrorRow = mirrorRow
    targets = mapping.targets
  }

  /// `folder`: has nothing in it but locks.
  func fill(_ folder: Directory, in fileSystem: FileSystem) throws {
    var description = StoreDescription(identifier: source.identifier, schema: mapping.destination)
    description.metadata = try source.metadata()
    for (key, value) in mapping.metadata { description.metadata[key] = value }
    try StoreBuilder.fill(folder, description, sequence: source.read { try $0.head() }) { file in
      try source.folder.read(source.waitPolicy) { try writeHistory(of: $0, to: file) }
    }
    var options = ObjectStore.Options()
    options.segmentLimits = source.files.limits
    options.limits = source.folder.limits
    let target = try ObjectStore(folder.path, schema: mapping.destination, options: options, in: fileSystem)
    for (index, entity) in mapping.entities.enumerated() {
      if let before = entity.source, !mapping.destination.entities[index].isAbstract {
        try copyObjects(of: before, as: index, to: target)
      }
    }
    for table in MirrorTable.allCases { try copyRows(of: table, to: target) }
    _ = try target.write { transaction in
      transaction.isRestoring = true
      try transaction.recomputeDerived()
    }
    try folder.file(StoreDescription.fileName, .readWrite).syncFileSystem()
    try checkpoint()
  }

  // MARK: History

  private func writeHistory(of view: FolderView, to file: File) throws {
    let mapping = HistoryMapping(mapping, targets)
    guard let log = try view.log(StoreFolder.history) else { return }
    let header = try log.header()
    var bytes = header.horizon > 0 ? header.bytes : []
    var offset = 0
    func flush() throws {
      try file.write(bytes, at: offset)
      offset += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    try log.forEach(after: 0) { line in
      bytes += mapping.map(line.value).compact() + [UInt8(ascii: "\n")]
      if bytes.count > 1 << 20 { try flush() }
      return true
    }
    try flush()
  }

  // MARK: Rows

  private func copyObjects(of before: Int, as entity: Int, to target: ObjectStore) throws {
    let mapping = RowMapping(mapping, entity: entity, targets)
    var last: Int64 = 0
    while case let numbers = try numbers(in: .objects(before), after: last), let final = numbers.last {
      try checkpoint()
      let page = try source.read { view in
        try view.rows(numbers.map { RowID(entity: before, number: $0) }).map { try mapping.map($0, view) }
      }
      _ = try target.write { transaction in
        transaction.isRestoring = true
        for mapped in page { try put(mapped, transaction) }
      }
      last = final
    }
  }

  private func put(_ mapped: RowMapping.Result, _ transaction: StoreTransaction) throws {
    var row = mapped.row
    for (index, value) in row.attributes.enumerated() {
      guard case .external(let binary) = value else { continue }
      row.attributes[index] = .external(try transaction.external(source.contents(of: binary)))
    }
    transaction.restore(row)
    for link in mapped.links {
      try transaction.link(row.id, link.relationship, to: link.target, position: link.position)
      if let inverse = mapping.destination.relationships[link.relationship].inverse {
        try transaction.link(link.target, inverse, to: row.id, position: link.inversePosition)
      }
    }
  }

  private func copyRows(of table: MirrorTable, to target: ObjectStore) throws {
    var last: Int64 = 0
    while case let numbers = try numbers(in: .mirroring(table), after: last), let final = numbers.last {
      let page = try source.read { view in
        try numbers.compactMap { try view.row($0, in: table) }.compactMap { try mirrorRow(table, $0, view) }
      }
      _ = try target.write { transaction in
        transaction.isRestoring = true
        for var row in page {
          row.objects = row.objects.map { mapping.target($0, targets) ?? .unknown($0.number) }
          transaction.put(row, in: table)
        }
      }
      last = final
    }
  }

  /// The numbers of a table's next rows, as many as are read and written together.
  private func numbers(in table: StoreTable, after number: Int64) throws -> [Int64] {
    try source.read { try $0.numbers(in: table, after: number, rows: Self.mostRows, bytes: Self.mostBytes) }
  }
}

extension StoreView {
  /// The numbers of a table's rows after one, in order: at most `rows`, or as many as have `bytes` bytes of lines.
  fileprivate func numbers(in table: StoreTable, after number: Int64, rows: Int, bytes: Int) throws -> [Int64] {
    try requireWhole(table)
    var found: [Int64] = []
    var size = 0
    var start = table.prefix(.row)
    start.append(number: number + 1)
    try view.scan(prefix: table.prefix(.row), from: start) { key in
      found.append(RowEntry.number(ofKey: key))
      size += try RowEntry(key: key).required().length
      return found.count < rows && size < bytes
    }
    return found
  }
}

extension ObjectStore {
  /// Migrates the store at a path to another version of its model, as a whole or not at all.
  ///
  /// - Parameters:
  ///   - target: a path that gets the migrated store, instead of a store that may be there; nil migrates in place.
  ///   - mirrorRow: converts a row of a mirroring table. The view is of the store before the migration. Nil removes the
  ///     row.
  ///   - checkpoint: called before each page of objects is copied, and before the new store replaces the old one. If it
  ///     throws, no store changes.
  /// - Throws: ``NotMigratable``, and errors of the storage layer.
  package static func migrate(
    _ path: String, to target: String? = nil, _ mapping: StoreMapping, options: Options = Options(),
    in fileSystem: FileSystem = FileSystem(),
    mirrorRow: @escaping (MirrorTable, MirrorRow, StoreView) throws -> MirrorRow? = { _, row, _ in row },
    checkpoint: @escaping () throws -> Void = {}
  ) throws {
    let source = try ObjectStore(path, schema: mapping.source, options: options, in: fileSystem)
    let migration = StoreMigration(source, mapping, mirrorRow, checkpoint: checkpoint)
    try source.replace(at: target, options, fileSystem) { try migration.fill($0, in: fileSystem) }
  }

  /// Replaces this store, or the store at another path, by a store that was made from this one: as a whole or not at
  /// all. No process writes to this store until then.
  ///
  /// - Parameters:
  ///   - target: the path of the store to replace; nil for this store.
  ///   - make: makes the new store and calls `save` with it. It may read this store.
  /// - Throws: the errors of `make` and of the storage layer.
  package func replace(
    at target: String? = nil, in fileSystem: FileSystem = FileSystem(),
    with make: (_ save: (ObjectStore) throws -> Void) throws -> Void
  ) throws {
    try replace(at: target, Options(), fileSystem) { folder in try make { try StoreCopier($0).fill(folder) } }
  }

  private func replace(
    at target: String?, _ options: Options, _ fileSystem: FileSystem, _ fill: (Directory) throws -> Void
  ) throws {
    guard let target else { return try StoreOpener(path, options, fileSystem).replace(self, with: fill) }
    try folder.rootLock.withExclusive(waitPolicy) {
      try StoreOpener(target, options, fileSystem).replace(with: fill)
    }
  }
}
