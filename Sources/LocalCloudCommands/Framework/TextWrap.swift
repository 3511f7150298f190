/// Formats prose for a terminal.
enum TextWrap {
  /// Breaks paragraphs at spaces. Keeps existing line breaks, and keeps lines that begin with a space unchanged.
  static func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var result: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.first == " " {
        result.append(line.isEmpty ? "" : margin + line)
        continue
      }
      var current = margin
      var used = indent
      for word in line.split(separator: " ") {
        let columns = TextWidth.columns(String(word))
        if used > indent && used + 1 + columns > width {
          result.append(current)
          (current, used) = (margin, indent)
        }
        if used > indent {
          current += " "
          used += 1
        }
        current += word
        used += columns
      }
      result.append(current)
    }
    return result
  }

  /// Formats two columns: the terms, and their wrapped descriptions.
  static func list(_ rows: [(term: String, text: String)], width: Int) -> [String] {
    let longest = rows.map { TextWidth.columns($0.term) }.filter { $0 <= 26 }.max() ?? 0
    let column = 2 + longest + 2
    var result: [String] = []
    for row in rows {
      var lines = wrap(row.text, width: width, indent: column)
      let term = "  " + row.term
      if TextWidth.columns(term) + 2 <= column || lines.isEmpty {
        let first = lines.isEmpty ? "" : String(lines.removeFirst().drop { $0 == " " })
        let padded = TextWidth.pad(term, to: column) + first
        result.append(first.isEmpty ? term : padded)
      } else {
        result.append(term)
      }
      result += lines
    }
    return result
  }
}
