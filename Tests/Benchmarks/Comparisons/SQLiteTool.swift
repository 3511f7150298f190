import Foundation

/// SQLite's command-line tool, controlled through two pipes.
final class SQLiteTool: SQLiteConnection {
  private static let done = "done"
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// Nil if the tool is not installed.
  init?(_ path: String) throws {
    guard let tool = SQLite.tool else { return nil }
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = ["-batch", path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Runs a statement. Waits until the tool prints the output of the line after the statement.
  func run(_ statement: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(statement)\n.print \(Self.done)\n".utf8))
    var answer = ""
    while !answer.hasSuffix(Self.done + "\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw UnexpectedResult(text: "sqlite ended at \(statement)") }
      answer += String(decoding: data, as: UTF8.self)
    }
  }
}
