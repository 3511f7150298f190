/// Rows for people, or for tools that read tab-separated values.
package struct Table: Sendable {
  package enum Alignment: Sendable { case left, right }

  package struct Column: Sendable, ExpressibleByStringLiteral {
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

  /// Renders aligned columns under their titles. If `width` is nil, nothing is cut.
  ///
  /// If the table is wider than `width`, identifiers and times are shortened first, see ``CellShortening``, from the last
  /// column to the first and no more columns than needed. Then the widest columns are cut, but none below its title or
  /// 8 columns; numbers and times are never cut.
  ///
  /// - Parameter today: the date of today, `2026-11-27`. Its times are shown without the date.
  package func aligned(width: Int? = nil, today: String = "") -> StyledText {
    guard !columns.isEmpty else { return StyledText() }
    var cells = rows.map { row in columns.indices.map { $0 < row.count ? VisibleText.escape(row[$0]) : "" } }
    if let width { shorten(&cells, to: width, today: today) }
    let widths = widths(of: cells, within: width)
    var result = StyledText()
    result.append(trusted: line(columns.map { $0.title.uppercased() }, widths), .bold)
    result.append(trusted: "\n")
    for row in cells {
      result.append(trusted: line(row, widths) + "\n")
    }
    return result
  }

  /// Renders one line of titles, then one line for each row. ``VisibleText/escapeReversibly(_:)`` escapes the cells.
  package func tabSeparated() -> String {
    let rows = rows.map { row in columns.indices.map { $0 < row.count ? row[$0] : "" } }
    return ([columns.map(\.title)] + rows).map(Self.tabSeparatedLine).joined()
  }

  static func tabSeparatedLine(_ cells: [String]) -> String {
    cells.map(VisibleText.escapeReversibly).joined(separator: "\t") + "\n"
  }

  private static let gap = 2
  private static let smallestColumn = 8

  /// Shortens cells until the table fits, or nothing is left to shorten.
  private func shorten(_ cells: inout [[String]], to limit: Int, today: String) {
    var widths = fullWidths(of: cells)
    for way in CellShortening.allCases {
      for column in columns.indices.reversed() where columns[column].alignment == .left {
        if total(widths) <= limit { return }
        for row in cells.indices { cells[row][column] = way.shorten(cells[row][column], today: today) }
        widths = fullWidths(of: cells)
      }
    }
  }

  private func fullWidths(of cells: [[String]]) -> [Int] {
    var widths = columns.map { TextWidth.columns($0.title) }
    for row in cells {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], TextWidth.columns(cell)) }
    }
    return widths
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + Table.gap * (columns.count - 1) }

  private func widths(of cells: [[String]], within limit: Int?) -> [Int] {
    var widths = fullWidths(of: cells)
    guard let limit else { return widths }
    let smallest = columns.indices.map { index in
      columns[index].alignment == .right
        ? widths[index]
        : cells.reduce(max(TextWidth.columns(columns[index].title), Table.smallestColumn)) {
          max($0, CellShortening.smallestWidth(of: $1[index]))
        }
    }
    var excess = total(widths) - limit
    while excess > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > smallest[$0] }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var result = ""
    for (index, cell) in cells.enumerated() {
      let right = columns[index].alignment == .right
      let shown = TextWidth.truncate(cell, to: widths[index])
      let isLast = index == cells.count - 1
      if index > 0 { result += String(repeating: " ", count: Table.gap) }
      result += isLast && !right ? shown : TextWidth.pad(shown, to: widths[index], right: right)
    }
    while result.last == " " { result.removeLast() }
    return result
  }
}
