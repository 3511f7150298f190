import LocalCloudStorage
import LocalCloudStore

/// Writes results in the requested format.
extension CommandContext {
  package static var schemaVersion: JSONValue { 1 }

  /// Writes one item. Adds a line break to `text` if it lacks one. The tab-separated form is `table`, if there is one;
  /// otherwise the text.
  package func writeResult(
    _ document: @autoclosure () throws -> JSONObject, table: @autoclosure () throws -> Table? = nil,
    text: @autoclosure () throws -> StyledText
  ) throws {
    switch format {
    case .json: try writeDocument(document())
    case .jsonl: try output.write(VisibleText.escapeJSON(JSONValue.object(document()).compact()) + [newline])
    case .table: try output.write(text().line)
    case .tsv:
      guard let table = try table() else { return try output.write(text().line) }
      try output.write(Array(table.tabSeparated().utf8))
    }
  }

  /// Writes a list: as `{ "<name>": [items], "schemaVersion": 1, …extra }`, as one line for each item, or as a table. A
  /// ``ListWriter`` writes a long list.
  ///
  /// `isPartial`: whether the listing failed for some items; the command reports those failures after this. If the list
  /// is then empty, it is unknown whether there are any items, so no empty list is written: only `extra`, if it is not
  /// empty.
  package func writeResult(
    list name: String, _ items: @autoclosure () throws -> [JSONValue], extra: JSONObject = [:],
    isPartial: Bool = false, table: @autoclosure () throws -> Table
  ) throws {
    var list = ListWriter(self, name, isHeld: true)
    try list.write(items(), table: table())
    try list.finish(extra, isPartial: isPartial)
  }

  /// Writes a number of items.
  package func writeResult(count: Int) throws {
    try writeResult(["count": .integer(Int64(count))], text: "\(count)")
  }

  /// Writes values for scripts, each in a line, as they are. A terminal gets them without control characters.
  ///
  /// - Parameter areEscaped: whether the lines are safe for a terminal.
  package func writeLines(_ lines: [String], areEscaped: Bool = false) throws {
    for line in lines {
      if output.tableWidth == nil || areEscaped {
        try output.write(Array(line.utf8) + [newline])
      } else {
        try output.write(StyledText(lines: line) + "\n")
      }
    }
  }

  /// Writes one element of an endless list. The write is not buffered, so that `| head` and `| jq` work live. The
  /// tab-separated form has no line of titles.
  package func writeResult(
    event: @autoclosure () throws -> JSONObject, cells: @autoclosure () throws -> [String],
    text: @autoclosure () throws -> StyledText
  ) throws {
    switch format {
    case .json, .jsonl: try output.write(VisibleText.escapeJSON(JSONValue.object(event()).compact()) + [newline])
    case .table: try output.write(text().line)
    case .tsv: try output.write(Array(Table.tabSeparatedLine(cells()).utf8))
    }
  }

  /// Writes the result of an action. Writes nothing with `--quiet`, unless the format is JSON.
  package func writeUnlessQuiet(
    _ document: @autoclosure () throws -> JSONObject, text: @autoclosure () throws -> StyledText
  ) throws {
    if output.settings.isQuiet && !format.isJSON { return }
    try writeResult(document(), text: text())
  }

  /// Writes what a command made. With `--quiet`, writes the names only, a line each, so that a script can take them.
  package func writeResult(
    made names: [String], _ document: @autoclosure () throws -> JSONObject, text: @autoclosure () throws -> StyledText
  ) throws {
    if output.settings.isQuiet && !format.isJSON { return try writeLines(names) }
    try writeResult(document(), text: text())
  }

  private func writeDocument(_ document: JSONObject) throws {
    var document = document
    document["schemaVersion"] = CommandContext.schemaVersion
    try output.write(VisibleText.escapeJSON(JSONValue.object(document).pretty()))
  }

  private var newline: UInt8 { UInt8(ascii: "\n") }
}
