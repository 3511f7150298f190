import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// SQLite's library, loaded at run time, so that the package does not depend on it.
final class SQLiteLibrary: SQLiteConnection {
  private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
  private typealias Execute =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?
    ) -> Int32
  private typealias Close = @convention(c) (OpaquePointer?) -> Int32

  private let database: OpaquePointer
  private let library: UnsafeMutableRawPointer
  private let execute: Execute
  private let close: Close

  /// Nil if the library is not installed.
  init?(_ path: String) throws {
    let names = ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
      let open = dlsym(library, "sqlite3_open"), let execute = dlsym(library, "sqlite3_exec"),
      let close = dlsym(library, "sqlite3_close")
    else { return nil }
    self.library = library
    self.execute = unsafeBitCast(execute, to: Execute.self)
    self.close = unsafeBitCast(close, to: Close.self)
    var database: OpaquePointer?
    let status = unsafeBitCast(open, to: Open.self)(path, &database)
    guard status == 0, let database else { throw UnexpectedResult(text: "sqlite could not open: \(status)") }
    self.database = database
  }

  deinit { _ = close(database) }

  func run(_ statement: String) throws {
    let status = execute(database, statement, nil, nil, nil)
    guard status == 0 else { throw UnexpectedResult(text: "sqlite: \(status) for \(statement)") }
  }

  /// Prepares a statement that takes values at each run. It must not outlive the connection.
  func prepare(_ text: String) throws -> SQLiteStatement { try SQLiteStatement(text, database, library) }
}
