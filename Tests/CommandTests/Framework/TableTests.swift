import Testing

@testable import LocalCloudCommands

@Suite struct TableTests {
  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇦🇹", 2),
    ("❤️", 2), ("❤", 1), ("\u{200B}", 0), ("Ａ", 2), ("ｱ", 1), ("ü", 1), ("", 0),
  ])
  func width(_ text: String, _ columns: Int) {
    #expect(TextWidth.columns(text) == columns)
  }

  @Test func truncation() {
    #expect(TextWidth.truncate("abcdef", to: 4) == "abc…")
    #expect(TextWidth.truncate("日本語", to: 4) == "日…")
    #expect(TextWidth.truncate("日本語", to: 6) == "日本語")
  }

  @Test func wideColumnsAreCutToTheTerminal() {
    let table = Table(
      ["name", "text", .init("n", .right)], rows: [["a", String(repeating: "x", count: 50), "1"], ["b", "👍", "22"]])
    #expect(
      table.aligned(width: 30).rendered(colored: false) == """
        NAME  TEXT                   N
        a     xxxxxxxxxxxxxxxxxxx…   1
        b     👍                    22

        """)
    let lines = table.aligned().rendered(colored: false).split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.columns(String($0)) == 60 })
  }

  @Test("rows after the first page keep its layout: only a terminal cuts them, and never numbers")
  func laterRowsKeepTheLayout() {
    let columns: [Table.Column] = ["name", .init("n", .right)]
    let later = [["abcdefghijkl", "123"], ["a", "4"]]
    let whole = TableLayout(Table(columns, rows: [["ab", "1"]]), width: nil, today: "")
    #expect(whole.titles.rendered(colored: false) == "NAME  N\n")
    #expect(whole.lines(of: later).rendered(colored: false) == "abcdefghijkl  123\na     4\n")
    let narrow = TableLayout(Table(columns, rows: [["0123456789", "1"]]), width: 11, today: "")
    #expect(narrow.lines(of: later).rendered(colored: false) == "abcdefg…  123\na         4\n")
  }

  private static let uuid = "E37E077C-9ACC-4377-A306-50C2D728BA69"

  /// A list of records in the form of `record list`, 119 columns wide without cuts.
  private let records = Table(
    ["record", "text", .init("n", .right), "modified", "by", "tag"],
    rows: [
      [uuid, "Buy milk and bread for all", "1234567", "2026-11-27T12:00:05.123Z", "alice", "1"],
      ["milk", "Done", "22", "2026-11-26T09:30:00.000Z", "bob", "2a"],
    ])

  private func text(_ table: Table, _ width: Int?) -> String {
    table.aligned(width: width, today: "2026-11-27").rendered(colored: false)
  }

  @Test("at 80 columns identifiers and times are shortened, and no other cell is cut")
  func leastImportantFirst() {
    #expect(
      text(records, 80) == """
        RECORD     TEXT                              N  MODIFIED           BY     TAG
        E37E077C…  Buy milk and bread for all  1234567  12:00:05Z          alice  1
        milk       Done                             22  2026-11-26T09:30Z  bob    2a

        """)
  }

  @Test("a table shortens as little as needed, in the order UUIDs, times, dates, text")
  func shortenedByNeed() {
    let full = text(records, nil)
    #expect(full.contains(Self.uuid))
    #expect(full.contains("T12:00:05.123Z"))
    #expect(text(records, 119) == full)
    let withoutUUIDs = text(records, 90)
    #expect(!withoutUUIDs.contains(Self.uuid))
    #expect(withoutUUIDs.contains("2026-11-27T12:00:05.123Z"))
    let withoutTimes = text(records, 72)
    #expect(withoutTimes.contains("2026-11-26  bob"))
    #expect(withoutTimes.contains("Buy milk and bread for all"))
    let smallest = text(records, 40)
    #expect(smallest.contains("1234567  12:00:05Z   alice"), "numbers and times are never cut: \(smallest)")
    #expect(smallest.contains("Buy mil…"))
  }

  @Test("UUIDs are shortened within longer cells, user record names too, and no other text")
  func uuiDsAreShortenedWithinLongerCellsUser() {
    func cell(_ text: String) -> String { CellShortening.identifiers.shorten(text, today: "") }
    #expect(cell("Share-\(Self.uuid)") == "Share-E37E077C…")
    #expect(cell("a:reference=\(Self.uuid) b=\(Self.uuid)!") == "a:reference=E37E077C… b=E37E077C…!")
    #expect(cell("_d4769ed556301f4853446edd4777795c") == "_d4769ed5…")
    for text in [
      "0\(Self.uuid)", Self.uuid.replacing("-", with: "+"), "ü\(Self.uuid)", String(repeating: "x", count: 80),
    ] {
      #expect(cell(text) == text)
    }
  }

  @Test(
    "times in other forms are not shortened",
    arguments: ["2026-11-26", "2026-11-26T12:00", "2026-11-26T12:00:00+01:00", "x026-11-26T12:00:00Z"])
  func otherTimes(text: String) {
    #expect(CellShortening.times.shorten(text, today: "2026-11-26") == text)
    #expect(CellShortening.dates.shorten(text, today: "2026-11-26") == text)
  }

  @Test func shortRowsAndNoRows() {
    #expect(Table(["a", "b"], rows: [["1"]]).aligned().rendered(colored: false) == "A  B\n1\n")
    #expect(Table(["a", "b"]).tabSeparated() == "a\tb\n")
    #expect(Table([]).aligned().rendered(colored: false) == "")
  }

  @Test func hostileText() {
    #expect(
      VisibleText.escape("a\u{1B}]0;x\u{7}\u{9B}31m\u{7F}\u{202E}\u{2028}b")
        == "a\\u{1B}]0;x\\u{07}\\u{9B}31m\\u{7F}\\u{202E}\\u{2028}b")
    #expect(VisibleText.escape("tab\tline\nreturn\r\nnul\0") == "tab\\tline\\nreturn\\r\\nnul\\0")
    #expect(VisibleText.escapeReversibly("a\\n\n") == "a\\\\n\\n")
    #expect(VisibleText.escape("👩‍👩‍👧 日本 \\") == "👩‍👩‍👧 日本 \\")
    #expect(Array(VisibleText.escapeJSON(Array("\"\u{9B}\u{7F}é\"".utf8))) == Array("\"\\u009b\\u007fé\"".utf8))
  }

  @Test func interpolationIsEscapedAndLiteralsAreNot() {
    let text: StyledText = "a\n\("b\n\u{1B}[2J", .bold)\tc"
    #expect(text.rendered(colored: false) == "a\nb\\n\\u{1B}[2J\tc")
    #expect(text.rendered(colored: true) == "a\n\u{1B}[1mb\\n\\u{1B}[2J\u{1B}[0m\tc")
  }
}
