/// How results are written to standard output.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// A form for people. It may change at any time.
  case table
  /// One JSON document.
  case json
  /// One line of JSON for each item of a list.
  case jsonl
  /// A line of titles, then one line for each row.
  case tsv

  package var isJSON: Bool { self == .json || self == .jsonl }
}

package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// Whether to use colour. The option takes precedence. With `auto`, `NO_COLOR`, `TERM=dumb` and any stream that is
  /// not a terminal disable colour.
  func isOn(isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
  }
}

/// The output settings that the global options specify.
package struct OutputSettings: Sendable {
  package var format = OutputFormat.table
  package var color = ColorChoice.auto
  package var isQuiet = false
  package var verbosity = 0

  package init() {}
}
