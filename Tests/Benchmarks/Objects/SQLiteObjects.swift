/// The same objects in SQLite: the same rows, indexes and history, with prepared statements.
final class SQLiteObjects {
  private let connection: SQLiteLibrary
  private let note: SQLiteStatement
  private let change: SQLiteStatement
  private let transaction: SQLiteStatement
  private let update: SQLiteStatement
  private let byTitle: SQLiteStatement
  private let page: SQLiteStatement
  private let ofFolder: SQLiteStatement
  private let one: SQLiteStatement
  private let all: SQLiteStatement
  private let number: SQLiteStatement
  private var last: Int64 = 0

  /// Nil if there is no SQLite library.
  init?(_ path: String) throws {
    guard let connection = try SQLite.open(path) as? SQLiteLibrary else { return nil }
    self.connection = connection
    for statement in [
      """
      create table note (id integer primary key, version integer, title text, text text, count integer, created real,
        isDone integer, price real, folder integer)
      """,
      "create index byTitle on note (title)", "create index byCreated on note (created)",
      "create index byFolder on note (folder)",
      "create table change (id integer primary key, kind integer, entity integer, object integer, transact integer)",
      "create table transact (id integer primary key, time real, author text, bundle text, process text)",
    ] { try connection.run(statement) }
    note = try connection.prepare("insert into note values (?, 1, ?, ?, ?, ?, ?, ?, ?)")
    change = try connection.prepare("insert into change (kind, entity, object, transact) values (?, 1, ?, ?)")
    transaction = try connection.prepare("insert into transact (time, author, bundle, process) values (?, ?, ?, ?)")
    update = try connection.prepare("update note set count = ?, version = version + 1 where id = ?")
    byTitle = try connection.prepare("select * from note where title = ?")
    page = try connection.prepare("select * from note order by created limit ? offset ?")
    ofFolder = try connection.prepare("select id from note where folder = ?")
    one = try connection.prepare("select * from note where id = ?")
    all = try connection.prepare("select * from note")
    number = try connection.prepare("select count(*) from note")
  }

  /// Reads the columns of a note. Returns the length of its title.
  private func read(_ row: SQLiteStatement.Row) -> Int {
    let title = row.text(2)
    _ = (row.integer(0), row.integer(1), row.text(3), row.integer(4), row.double(5), row.integer(6), row.double(7))
    return title.utf8.count
  }

  func find(_ title: String) throws -> Int {
    var count = 0
    try byTitle.forEachRow([.text(title)]) { count += read($0) > 0 ? 1 : 0 }
    return count
  }

  /// The total length of the titles of one page of the notes in the order of their dates.
  func page(_ offset: Int, _ limit: Int) throws -> Int {
    var length = 0
    try page.forEachRow([.integer(Int64(limit)), .integer(Int64(offset))]) { length += read($0) }
    return length
  }

  /// The total length of the titles of all notes.
  func readAll() throws -> Int {
    var length = 0
    try all.forEachRow([]) { length += read($0) }
    return length
  }

  /// Reads the notes of a folder: first their numbers, then each note by its number. Returns their count.
  func notes(of folder: Int) throws -> Int {
    var ids: [Int64] = []
    try ofFolder.forEachRow([.integer(Int64(folder))]) { ids.append($0.integer(0)) }
    for id in ids { try one.forEachRow([.integer(id)]) { _ = read($0) } }
    return ids.count
  }

  func count() throws -> Int {
    var count = 0
    try number.forEachRow([]) { count = Int($0.integer(0)) }
    return count
  }

  private func commit(_ body: () throws -> Void) throws {
    try connection.run("begin immediate")
    try transaction.run([.double(0), .text("app"), .text("Benchmarks"), .text("1")])
    last += 1
    try body()
    try connection.run("commit")
  }

  func insert(_ numbers: Range<Int>, folders: Int) throws {
    try commit {
      for number in numbers {
        try note.run([
          .integer(Int64(number) + 1), .text(ObjectRows.title(number)), .text(ObjectRows.text),
          .integer(Int64(number)), .double(ObjectRows.created(number)), .integer(number.isMultiple(of: 2) ? 1 : 0),
          .double(Double(number) / 7), .integer(Int64(number % folders)),
        ])
        try change.run([.integer(0), .integer(Int64(number) + 1), .integer(last)])
      }
    }
  }

  func change(_ number: Int, _ value: Int) throws {
    try commit {
      try update.run([.integer(Int64(value)), .integer(Int64(number) + 1)])
      try change.run([.integer(1), .integer(Int64(number) + 1), .integer(last)])
    }
  }
}
