/// Rows for people, or for tools that read tab-separated values.
package struct Table: Sendable {
  package enum Alignment: Sendable { case left, right }

  package struct Column: Sendable, Equatable, ExpressibleByStringLiteral {
    package var title: String
    package var alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }

    package init(stringLiteral title: String) { self.init(title) }
  }

  package var columns: [Column]
  package var rows: [[String]]

  /// Creates a table. If a row is shorter than the list of columns, the missing cells are empty.
  package init(_ columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// Renders aligned columns under their titles; see ``TableLayout``.
  ///
  /// - Parameter today: the date of today, `2026-11-27`. Its times are shown without the date.
  package func aligned(width: Int? = nil, today: String = "") -> StyledText {
    guard !columns.isEmpty else { return StyledText() }
    let layout = TableLayout(self, width: width, today: today)
    return layout.titles + layout.lines(of: rows)
  }

  /// Renders one line of titles, then one line for each row. ``VisibleText/escapeReversibly(_:)`` escapes the cells.
  package func tabSeparated() -> String { tabSeparatedTitles + tabSeparatedRows }

  var tabSeparatedTitles: String { Self.tabSeparatedLine(columns.map(\.title)) }

  var tabSeparatedRows: String {
    rows.map { row in Self.tabSeparatedLine(columns.indices.map { $0 < row.count ? row[$0] : "" }) }.joined()
  }

  static func tabSeparatedLine(_ cells: [String]) -> String {
    cells.map(VisibleText.escapeReversibly).joined(separator: "\t") + "\n"
  }
}
