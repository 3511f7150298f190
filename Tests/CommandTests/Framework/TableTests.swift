import LocalCloudCommands
import Testing

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
