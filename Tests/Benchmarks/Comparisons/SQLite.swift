import LocalCloudPlatform

/// The SQLite of this machine: its library, or its command-line tool if there is no library.
enum SQLite {
  static let missing = "there is no sqlite to compare with"

  /// Opens a connection. It waits for other processes, and a statement returns when its change is durable. Nil if there
  /// is no SQLite.
  static func open(_ path: String) throws -> (any SQLiteConnection)? {
    guard let connection: any SQLiteConnection = try SQLiteLibrary(path) ?? SQLiteTool(path) else { return nil }
    for setting in ["busy_timeout=120000", "journal_mode=wal", "synchronous=full"] {
      try connection.run("pragma \(setting);")
    }
    return connection
  }

  static var tool: String? {
    let folders = (HostProcess.environment("PATH") ?? "/usr/bin").split(separator: ":")
    return folders.map { "\($0)/sqlite3" }.first(where: HostProcess.isExecutable)
  }

  static let creation = "create table note (name text primary key, text text, count integer);"

  static func insertion(_ name: String, _ count: Int) -> String {
    "insert into note values ('\(name)', 'A note of some length, as people write them.', \(count));"
  }
}

/// Runs one statement at a time, each in its own transaction.
protocol SQLiteConnection: AnyObject {
  func run(_ statement: String) throws
}
