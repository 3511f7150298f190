import LocalCloudObjectStore
import LocalCloudPlatform

/// The measured objects: about 350 bytes each, with two indexes and a to-one relationship.
enum ObjectRows {
  static let schema: StoreSchema = {
    var note = StoreSchema.Declaration(name: "Note")
    note.attributes = [
      .init(name: "title", type: .string), .init(name: "text", type: .string), .init(name: "count", type: .integer64),
      .init(name: "created", type: .date), .init(name: "isDone", type: .boolean), .init(name: "price", type: .double),
    ]
    note.relationships = [.init(name: "folder", destination: "Folder", isToMany: false, inverse: "notes")]
    note.indexes = [
      .init(name: "byTitle", elements: [.init(property: "title", isAscending: true)]),
      .init(name: "byCreated", elements: [.init(property: "created", isAscending: true)]),
    ]
    var folder = StoreSchema.Declaration(name: "Folder")
    folder.attributes = [.init(name: "name", type: .string)]
    folder.relationships = [.init(name: "notes", destination: "Note", isToMany: true, inverse: "folder")]
    return StoreSchema([note, folder])
  }()

  static let (folder, note) = (0, 1)
  static let folders = 100
  static let batch = 1_000
  static let text = String(repeating: "A note of some length, as people write them. ", count: 5)

  /// Titles are in no order, like titles that people write.
  static func title(_ number: Int) -> String { "Note \((number &* 2_654_435_761) % 1_000_003) of \(number)" }
  static func created(_ number: Int) -> Double { Double((number &* 40_503) % 100_000) * 60.5 }

  static func row(_ id: RowID, _ number: Int, in folder: RowID) -> StoredRow {
    var values: [String: StoredValue] = [:]
    values["title"] = .string(title(number))
    values["text"] = .string(text)
    values["count"] = .integer(Int64(number))
    values["created"] = .date(created(number))
    values["isDone"] = .boolean(number.isMultiple(of: 2))
    values["price"] = .double(Double(number) / 7)
    return StoredRow(
      id: id, version: 0, attributes: schema.entities[note].attributes.map { values[$0.name] ?? .null },
      toOnes: [folder])
  }

  /// Saves new objects in one transaction.
  static func insert(_ numbers: Range<Int>, in folders: [RowID], _ store: ObjectStore) throws {
    _ = try store.write { transaction in
      for number in numbers {
        transaction.insert(row(transaction.newID(of: note), number, in: folders[number % folders.count]))
      }
    }
  }

  /// Measures insertions in batches, alternating with SQLite's insertions of the same rows. `insert`: inserts the
  /// objects with the given numbers.
  static func insertion(
    _ name: String, _ total: Int, _ sqlite: SQLiteObjects?, _ directory: Directory, ratioAtLeast mark: Double,
    _ insert: @escaping (Range<Int>) throws -> Void
  ) throws -> Figure {
    let syncFile = try directory.createFile("settle")
    let rounds = 10
    let count = max(1, total / rounds / batch)
    var (ours, theirs) = (0, 0)
    func runRound(_ next: inout Int, _ insert: (Range<Int>) throws -> Void) throws -> Double {
      // Syncs the file system, so that neither side pays for unwritten data of the other.
      try syncFile.syncFileSystem()
      return try rate(of: count * batch) {
        for _ in 0..<count {
          try insert(next..<(next + batch))
          next += batch
        }
      }
    }
    var sides = [{ try runRound(&ours, insert) }]
    if let sqlite { sides.append { try runRound(&theirs) { try sqlite.insert($0, folders: folders) } } }
    let rates = try inRounds(rounds, sides)
    return Figure(
      "\(name) in batches of \(batch)", .perSecond, rates[0], against: rates.count > 1 ? ("SQLite", rates[1]) : nil,
      mark: .ratioAtLeast(mark))
  }

  static func makeFolders(_ store: ObjectStore) throws -> [RowID] {
    try store.write { transaction in
      (0..<folders).map { number in
        let id = transaction.newID(of: folder)
        transaction.insert(
          StoredRow(id: id, version: 0, attributes: [.string("Folder \(number)")], toOnes: []))
        return id
      }
    }.result
  }

  /// Changes one object.
  static func change(_ id: RowID, _ value: Int, _ store: ObjectStore) throws {
    _ = try store.write { transaction in
      guard var row = try transaction.row(id),
        let index = schema.entities[note].attributes.firstIndex(where: { $0.name == "count" })
      else { throw UnexpectedResult(text: "the object is gone") }
      row.attributes[index] = .integer(Int64(value))
      try transaction.update(row, changed: ["count"])
    }
  }
}
