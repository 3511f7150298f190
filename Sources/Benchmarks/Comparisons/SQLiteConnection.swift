/// Runs one statement at a time, each a transaction of its own.
protocol SQLiteConnection: AnyObject {
  func run(_ statement: String) throws
}
