/// Changes of a source. No change moves a line.
struct Edits {
  private struct Edit {
    var range: Range<Int>
    var text: String
    /// Insertions at the same offset stay in their order.
    var order: Int
  }

  private var edits: [Edit] = []

  /// `text` has one line. It is followed by the newlines of the replaced text.
  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append(Edit(range: range, text: text, order: edits.count))
  }

  mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, with: text) }

  func applied(to source: SourceText) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    let ordered = edits.sorted { ($0.range.lowerBound, $0.order) < ($1.range.lowerBound, $1.order) }
    for edit in ordered where edit.range.lowerBound >= end {
      result += source.bytes[end..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      result += source.bytes[edit.range].filter { SwiftLexer.isNewline($0) }
      end = edit.range.upperBound
    }
    return result + source.bytes[end...]
  }
}
