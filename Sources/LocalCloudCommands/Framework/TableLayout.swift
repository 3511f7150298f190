/// Aligned columns under their titles, laid out for a table's rows; rows that come later keep the layout.
///
/// If the table is wider than the width, identifiers and times are shortened first, see ``CellShortening``, from the
/// last column to the first and no more columns than needed. Then the widest columns are cut, but none below its title or
/// 8 columns; numbers and times are never cut. Without a width nothing is cut. A later cell that is longer than its
/// column is cut by the same rules, or moves the rest of its line.
struct TableLayout {
  private let columns: [Table.Column]
  private let today: String
  private let isLimited: Bool
  /// How the cells of each column are shortened.
  private var ways: [[CellShortening]]
  private var widths: [Int] = []

  init(_ table: Table, width: Int?, today: String) {
    columns = table.columns
    self.today = today
    isLimited = width != nil
    ways = columns.map { _ in [] }
    var cells = table.rows.map(cells)
    widths = fullWidths(of: cells)
    guard let width else { return }
    shorten(&cells, to: width)
    cut(cells, to: width)
  }

  var titles: StyledText {
    var result = StyledText()
    result.append(trusted: line(columns.map { $0.title.uppercased() }), .bold)
    result.append(trusted: "\n")
    return result
  }

  func lines(of rows: [[String]]) -> StyledText {
    var result = StyledText()
    for row in rows { result.append(trusted: line(cells(row)) + "\n") }
    return result
  }

  private static let gap = 2
  private static let smallestColumn = 8

  /// A row's cells as they are shown, before they are cut.
  private func cells(_ row: [String]) -> [String] {
    columns.indices.map { index in
      let cell = index < row.count ? VisibleText.escape(row[index]) : ""
      return ways[index].reduce(cell) { $1.shorten($0, today: today) }
    }
  }

  /// Shortens cells until the table fits, or nothing is left to shorten.
  private mutating func shorten(_ cells: inout [[String]], to limit: Int) {
    for way in CellShortening.allCases {
      for column in columns.indices.reversed() where columns[column].alignment == .left {
        if total <= limit { return }
        ways[column].append(way)
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

  private var total: Int { widths.reduce(0, +) + Self.gap * (columns.count - 1) }

  private mutating func cut(_ cells: [[String]], to limit: Int) {
    let smallest = columns.indices.map { index in
      columns[index].alignment == .right
        ? widths[index]
        : cells.reduce(max(TextWidth.columns(columns[index].title), Self.smallestColumn)) {
          max($0, CellShortening.smallestWidth(of: $1[index]))
        }
    }
    var excess = total - limit
    while excess > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > smallest[$0] }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func line(_ cells: [String]) -> String {
    var result = ""
    for (index, cell) in cells.enumerated() {
      let right = columns[index].alignment == .right
      let mayBeCut = isLimited && !right && CellShortening.smallestWidth(of: cell) == 0
      let shown = mayBeCut ? TextWidth.truncate(cell, to: widths[index]) : cell
      let isLast = index == cells.count - 1
      if index > 0 { result += String(repeating: " ", count: Self.gap) }
      result += isLast && !right ? shown : TextWidth.pad(shown, to: widths[index], right: right)
    }
    while result.last == " " { result.removeLast() }
    return result
  }
}
