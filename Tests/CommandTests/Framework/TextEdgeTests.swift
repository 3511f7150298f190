import LocalCloudCommands
import LocalCloudPlatform
import Synchronization
import Testing

@Suite("Edge cases of text widths, tables and streams")
struct TextEdgeTests {
  // MARK: Widths

  @Test("characters at both ends of each wide range take two columns, and their neighbours one")
  func wideRanges() {
    let ranges: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE10...0xFE19, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
    for range in ranges {
      for value in [range.lowerBound, range.upperBound] {
        #expect(Unicode.Scalar(value).map { TextWidth.columns(Character($0)) } == 2, "\(String(value, radix: 16))")
      }
    }
    for value: UInt32 in [0x10FF, 0x1160, 0x303F, 0xA4D0, 0xA97D, 0xABFF, 0xD7A4, 0xFF61, 0xFFE7, 0x3FFFE] {
      #expect(Unicode.Scalar(value).map { TextWidth.columns(Character($0)) } == 1, "\(String(value, radix: 16))")
    }
  }

  @Test("a combining mark takes no column, and a soft hyphen and the character before U+0300 take one")
  func combiningMarkTakesNoColumn() {
    #expect(TextWidth.columns("\u{300}" as Character) == 0)
    #expect(TextWidth.columns("\u{2FF}" as Character) == 1)
    #expect(TextWidth.columns("\u{AD}" as Character) == 1)
    #expect(TextWidth.columns("\u{200D}" as Character) == 0)
    #expect(TextWidth.columns("é\u{300}" as String) == 1)
    #expect(TextWidth.columns("a\u{300}é" as String) == 2)
  }

  @Test("text is cut correctly to its width, one column less, one column and none")
  func textIsCutCorrectlyToItsWidth() {
    #expect(TextWidth.truncate("abc", to: 3) == "abc")
    #expect(TextWidth.truncate("abc", to: 2) == "a…")
    #expect(TextWidth.truncate("abc", to: 1) == "…")
    #expect(TextWidth.truncate("abc", to: 0) == "")
    #expect(TextWidth.truncate("", to: 0) == "")
    #expect(TextWidth.truncate("日本", to: 3) == "日…")
    #expect(TextWidth.truncate("日本", to: 2) == "…")
    #expect(TextWidth.pad("日", to: 3) == "日 ")
    #expect(TextWidth.pad("日", to: 3, right: true) == " 日")
    #expect(TextWidth.pad("abc", to: 2) == "abc")
  }

  // MARK: Tables

  @Test("a table that fits is not cut, and with one column less the widest column is cut by one")
  func exactWidth() {
    let table = Table(["a", "b"], rows: [["0123456789", "0123456789ab"]])
    let whole = "A           B\n0123456789  0123456789ab\n"
    #expect(table.aligned(width: 24).rendered(colored: false) == whole)
    #expect(table.aligned(width: 25).rendered(colored: false) == whole)
    #expect(
      table.aligned(width: 23).rendered(colored: false) == "A           B\n0123456789  0123456789…\n")
    // No column is cut below eight, even if the table does not fit.
    let least = "A         B\n0123456…  0123456…\n"
    for width in [18, 17, 1] { #expect(table.aligned(width: width).rendered(colored: false) == least, "\(width)") }
    #expect(
      table.aligned(width: 19).rendered(colored: false) == "A         B\n0123456…  01234567…\n")
  }

  @Test("a title is never cut, and a column of eight is not cut")
  func smallestColumns() {
    let table = Table(["a long title", .init("n", .right)], rows: [["0123456789abcdef", "12345678"]])
    #expect(
      table.aligned(width: 10).rendered(colored: false)
        == "A LONG TITLE         N\n0123456789a…  12345678\n")
  }

  @Test("numbers are right-aligned, also in the last column, and no line ends in spaces")
  func numbersAreRightAligned() {
    let table = Table([.init("n", .right), "text", .init("size", .right)], rows: [["1", "x", "5"], ["22", "", ""]])
    #expect(
      table.aligned().rendered(colored: false) == """
         N  TEXT  SIZE
         1  x        5
        22

        """)
    #expect(table.aligned().rendered(colored: true).hasPrefix("\u{1B}[1m N  TEXT  SIZE\u{1B}[0m\n 1  x"))
    #expect(table.tabSeparated() == "n\ttext\tsize\n1\tx\t5\n22\t\t\n")
    // Cells beyond the table's columns are omitted.
    #expect(Table(["a"], rows: [["1", "2"]]).aligned().rendered(colored: false) == "A\n1\n")
  }

  // MARK: Text

  @Test("styled texts within styled texts retain their styles, and empty data adds nothing")
  func styledTextsWithinStyledTextsRetain() {
    let inner: StyledText = "\("x\n", .bold)"
    let outer: StyledText = "a \(inner) b\n"
    #expect(outer.rendered(colored: true) == "a \u{1B}[1mx\\n\u{1B}[0m b\n")
    #expect((outer + outer).rendered(colored: false) == "a x\\n b\na x\\n b\n")
    #expect(StyledText().isEmpty)
    #expect(!outer.isEmpty)
    var text = StyledText()
    text.append(data: "")
    #expect(text.isEmpty)
    text.append(data: "\t", .red)
    #expect(text.rendered(colored: true) == "\u{1B}[31m\\t\u{1B}[0m")
  }

  @Test("printed JSON retains its line breaks, and harmful characters outside ASCII are escaped with four digits")
  func harmfulJSON() {
    func escaped(_ text: String) -> String {
      String(decoding: VisibleText.escapeJSON(Array(text.utf8)), as: UTF8.self)
    }
    #expect(escaped("{\n\"a\": \"b\"\n}\n") == "{\n\"a\": \"b\"\n}\n")
    #expect(
      escaped("{\n\"é\": \"\u{7F}\u{80}\u{9F}\u{A0}\u{202E}\"\n}")
        == "{\n\"é\": \"\\u007f\\u0080\\u009f\u{A0}\\u202e\"\n}")
    #expect(escaped("\u{7E}\n") == "~\n")
    #expect(VisibleText.escape("\u{1F}\u{20}\u{7E}\u{9F}\u{A0}") == "\\u{1F} ~\\u{9F}\u{A0}")
    #expect(VisibleText.escapeReversibly("é\\\u{2066}") == "é\\\\\\u{2066}")
  }

  // MARK: Streams

  /// The texts that were sent to one stream.
  private final class Sent: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ bytes: [UInt8]) { texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
  }

  private func output(isTerminal: Bool, width: Int = 80, _ result: Sent, _ talk: Sent) -> Output {
    Output(
      standardOutput: OutputSink(isTerminal: isTerminal, width: width) { bytes throws(SystemError) in
        result.add(bytes)
      },
      standardError: OutputSink(isTerminal: isTerminal) { bytes throws(SystemError) in talk.add(bytes) })
  }

  @Test("prose is 40 to 100 columns wide, and tables are cut only at a terminal")
  func proseIs40To100ColumnsWide() {
    let sent = Sent()
    for (width, prose) in [(1, 40), (39, 40), (40, 40), (41, 41), (99, 99), (100, 100), (101, 100)] {
      let output = output(isTerminal: true, width: width, sent, sent)
      #expect(output.proseWidth == prose)
      #expect(output.tableWidth == width)
    }
    let piped = output(isTerminal: false, width: 50, sent, sent)
    #expect(piped.tableWidth == nil)
    #expect(piped.proseWidth == 50)
    #expect(!piped.isTerminal)
    #expect(output(isTerminal: true, sent, sent).isTerminal)
    #expect(OutputSink { _ in }.width() == 80)
  }

  @Test("progress is printed only at a terminal, and warnings and hints have their prefixes")
  func progressIsPrintedOnlyAtATerminal() throws {
    let (result, talk) = (Sent(), Sent())
    let output = output(isTerminal: true, result, talk)
    output.settings.color = .never
    output.progress("half")
    output.warning("careful")
    output.hint("do that")
    try output.write([])
    try output.write(StyledText())
    #expect(talk.all == ["\rhalf\u{1B}[K", "warning: careful\n", "hint: do that\n"])
    #expect(result.all == [])
    output.settings.isQuiet = true
    output.progress("more")
    output.notice("more")
    output.settings.isQuiet = false
    for format in [OutputFormat.json, .jsonl] {
      output.settings.format = format
      output.progress("more")
      output.notice("more")
    }
    #expect(talk.all.count == 3)
    output.settings.verbosity = 1
    output.notice("after all")
    #expect(talk.all.count == 4)
    let quiet = Sent()
    self.output(isTerminal: false, quiet, quiet).progress("half")
    #expect(quiet.all == [])
  }

  // MARK: Suggestions

  @Test("a suggestion needs at most one mistake in three letters, or a prefix of the word")
  func suggestionNeedsAtMostOneMistake() {
    #expect(WordSuggestion.nearest(to: "ac", among: ["ab"]) == "ab")
    #expect(WordSuggestion.nearest(to: "xy", among: ["ab"]) == nil)
    #expect(WordSuggestion.nearest(to: "rexxrd", among: ["record"]) == "record")
    #expect(WordSuggestion.nearest(to: "rexxr", among: ["recor"]) == nil)
    #expect(WordSuggestion.nearest(to: "re", among: ["record"]) == "record")
    #expect(WordSuggestion.nearest(to: "r", among: ["record"]) == nil)
    #expect(WordSuggestion.nearest(to: "RECORD", among: ["record"]) == "record")
    // The nearest word, and the first one of several equal ones.
    #expect(WordSuggestion.nearest(to: "ac", among: ["ab", "ad", "ac"]) == "ac")
    #expect(WordSuggestion.nearest(to: "ac", among: ["ab", "ad"]) == "ab")
    #expect(WordSuggestion.distance("", "abc") == 3)
    #expect(WordSuggestion.distance("abc", "") == 3)
    #expect(WordSuggestion.distance("abcd", "acbd") == 1)
    #expect(WordSuggestion.distance("abc", "cab") == 2)
    #expect(WordSuggestion.distance("abc", "abc") == 0)
    #expect(WordSuggestion.distance("ca", "abc") == 3)
  }
}
