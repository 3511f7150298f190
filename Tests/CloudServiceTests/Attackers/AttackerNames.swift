/// Names that imitate paths, the program's own files, other names or an empty name.
enum AttackerNames {
  static let paths = [
    "..", ".", "../x", "../../../x", "/etc/passwd", "/", "//", "a/b", "a/../../b", "..\\..\\x", "\\", "~", "~/x",
    "%2e%2e", "%2E%2E%2F%2E%2E", "%", "%%", "%00", "..%2f", ".x", ".journal", ".index", ".lock", "zone.json",
    "changes.jsonl", "lock", "records", "cloud.json", "x.json", "x,y", "a:b", "C:\\x", "-x", "--help", "*", "?",
    "$HOME",
    "`id`", "a;b", "a|b", "a\nb", "a\tb", "a\rb", "\u{1B}[31mred", "\u{7F}", "\u{85}", "\u{2028}", "\u{202E}txt",
    "\u{FEFF}x", "x ", " x", "x.", "con", "nul", "..\u{2215}x", "\u{FF0E}\u{FF0E}", "\u{2024}\u{2024}/x",
    "e\u{301}", "\u{E9}", "E\u{301}", "\u{212B}", "A\u{30A}", "ROOT", "Root", "rooT", "root ", "root\u{301}",
    String(repeating: "a", count: 255), String(repeating: "é", count: 255), String(repeating: "/", count: 255),
  ]

  /// Names that are always refused: empty, with a NUL, or too long.
  static let impossible = [
    "", "\u{0}", "root\u{0}", "\u{0}root", "a\u{0}/../b", String(repeating: "a", count: 256),
    String(repeating: "../", count: 100), String(repeating: "😀", count: 128), String(repeating: "x", count: 100_000),
  ]

  static let all = paths + impossible
}
