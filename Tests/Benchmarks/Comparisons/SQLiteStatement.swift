#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A prepared statement of SQLite's library.
final class SQLiteStatement {
  enum Value {
    case integer(Int64)
    case double(Double)
    case text(String)
  }

  private typealias Prepare =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
    ) -> Int32
  private typealias Plain = @convention(c) (OpaquePointer?) -> Int32
  private typealias BindInteger = @convention(c) (OpaquePointer?, Int32, Int64) -> Int32
  private typealias BindDouble = @convention(c) (OpaquePointer?, Int32, Double) -> Int32
  private typealias BindText = @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>, Int32, Int) -> Int32

  private typealias ColumnInteger = @convention(c) (OpaquePointer?, Int32) -> Int64
  private typealias ColumnDouble = @convention(c) (OpaquePointer?, Int32) -> Double
  private typealias ColumnText = @convention(c) (OpaquePointer?, Int32) -> UnsafePointer<CChar>?

  private let statement: OpaquePointer
  private let step: Plain
  private let reset: Plain
  private let finalize: Plain
  private let bindInteger: BindInteger
  private let bindDouble: BindDouble
  private let bindText: BindText
  private let integer: ColumnInteger
  private let double: ColumnDouble
  private let text: ColumnText

  init(_ text: String, _ database: OpaquePointer, _ library: UnsafeMutableRawPointer) throws {
    func symbol<Function>(_ name: String, _: Function.Type) throws -> Function {
      guard let found = dlsym(library, name) else { throw UnexpectedResult(text: "sqlite has no \(name)") }
      return unsafeBitCast(found, to: Function.self)
    }
    step = try symbol("sqlite3_step", Plain.self)
    reset = try symbol("sqlite3_reset", Plain.self)
    finalize = try symbol("sqlite3_finalize", Plain.self)
    bindInteger = try symbol("sqlite3_bind_int64", BindInteger.self)
    bindDouble = try symbol("sqlite3_bind_double", BindDouble.self)
    bindText = try symbol("sqlite3_bind_text", BindText.self)
    integer = try symbol("sqlite3_column_int64", ColumnInteger.self)
    double = try symbol("sqlite3_column_double", ColumnDouble.self)
    self.text = try symbol("sqlite3_column_text", ColumnText.self)
    var made: OpaquePointer?
    let status = try symbol("sqlite3_prepare_v2", Prepare.self)(database, text, -1, &made, nil)
    guard status == 0, let made else { throw UnexpectedResult(text: "sqlite: \(status) for \(text)") }
    statement = made
  }

  deinit { _ = finalize(statement) }

  func run(_ values: [Value]) throws { try forEachRow(values) { _ in } }

  /// Calls `body` with each row of the result.
  func forEachRow(_ values: [Value], _ body: (Row) throws -> Void) throws {
    for (index, value) in values.enumerated() {
      let position = Int32(index + 1)
      switch value {
      case .integer(let number): _ = bindInteger(statement, position, number)
      case .double(let number): _ = bindDouble(statement, position, number)
      // -1: SQLite makes a copy.
      case .text(let text): _ = bindText(statement, position, text, -1, -1)
      }
    }
    defer { _ = reset(statement) }
    // Status 100 is a row, 101 the end.
    while case let status = step(statement), status != 101 {
      guard status == 100 else { throw UnexpectedResult(text: "sqlite: \(status) in a prepared statement") }
      try body(Row(statement: self))
    }
  }

  /// The current row. Its columns count from 0.
  struct Row {
    fileprivate let statement: SQLiteStatement

    func integer(_ column: Int32) -> Int64 { statement.integer(statement.statement, column) }
    func double(_ column: Int32) -> Double { statement.double(statement.statement, column) }
    func text(_ column: Int32) -> String {
      statement.text(statement.statement, column).map { String(cString: $0) } ?? ""
    }
  }
}
