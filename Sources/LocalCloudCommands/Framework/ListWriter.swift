import LocalCloudStorage

/// Writes a list page by page in the requested format, so that a list of any length needs the memory of one page.
///
/// The first page lays out the table. A later page with other columns begins a new table, with titles.
struct ListWriter {
  private let context: CommandContext
  private let name: String
  private let head: JSONObject
  private let isHeld: Bool
  private let isCounting: Bool
  private var text: JSONListText
  private var heldItems: [JSONValue] = []
  private var layout: TableLayout?
  private var columns: [Table.Column] = []
  /// The number of items so far.
  private(set) var count = 0

  /// - Parameters:
  ///   - head: the members of the JSON document with keys before the list's.
  ///   - isHeld: whether these members are only known at the end. The JSON document is then held until the end.
  init(_ context: CommandContext, _ name: String, head: JSONObject = [:], isHeld: Bool = false) {
    self.context = context
    self.name = name
    self.head = head
    self.isHeld = isHeld
    isCounting = context.description.isListing && context[ListOptions.count]
    text = JSONListText(name)
  }

  private var output: Output { context.output }

  /// Writes the next items.
  mutating func write(
    _ items: @autoclosure () throws -> [JSONValue], table: @autoclosure () throws -> Table
  ) throws {
    if isCounting {
      count += try items().count
      return
    }
    switch context.format {
    case .json:
      let items = try items()
      if isHeld { heldItems += items } else { try output.write(VisibleText.escapeJSON(text.items(items, head: head))) }
      count += items.count
    case .jsonl:
      let items = try items()
      try output.write(VisibleText.escapeJSON(items.flatMap { $0.compact() + [UInt8(ascii: "\n")] }))
      count += items.count
    case .table:
      let table = try table()
      if table.rows.isEmpty { return }
      var lines = StyledText()
      let layout: TableLayout
      if let known = self.layout, table.columns == columns {
        layout = known
      } else {
        layout = TableLayout(table, width: output.tableWidth, today: context.today)
        lines = (self.layout == nil ? "" : "\n") + layout.titles
        (self.layout, columns) = (layout, table.columns)
      }
      try output.write(lines + layout.lines(of: table.rows))
      count += table.rows.count
    case .tsv:
      let table = try table()
      let areNew = table.columns.map(\.title) != columns.map(\.title)
      columns = table.columns
      if table.rows.isEmpty { return }
      try output.write(Array(((count == 0 || areNew ? table.tabSeparatedTitles : "") + table.tabSeparatedRows).utf8))
      count += table.rows.count
    }
  }

  /// Call after the last page.
  ///
  /// - Parameters:
  ///   - extra: more members of the JSON document.
  ///   - isPartial: whether the listing failed for some items; the command reports those failures after this. If the
  ///     list is then empty, it is unknown whether there are any items, so no empty list is written: only `extra`, if it
  ///     is not empty.
  mutating func finish(_ extra: JSONObject = [:], isPartial: Bool = false) throws {
    var members = extra
    members["schemaVersion"] = CommandContext.schemaVersion
    if isPartial, count == 0 {
      if context.format == .json, !extra.isEmpty { try writeDocument(JSONValue.object(members).pretty()) }
      return
    }
    if isCounting { return try context.writeResult(count: count) }
    switch context.format {
    case .json: try writeDocument(text.items(heldItems, head: members.members(before: name)) + text.end(members))
    case .jsonl: break
    case .table: if count == 0 { output.notice("no \(name)") }
    case .tsv: if count == 0 { try output.write(Array(Table.tabSeparatedLine(columns.map(\.title)).utf8)) }
    }
  }

  private func writeDocument(_ bytes: [UInt8]) throws { try output.write(VisibleText.escapeJSON(bytes)) }
}
