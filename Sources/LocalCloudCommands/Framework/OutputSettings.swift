/// How results are written to standard output.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// For people; may change at any time.
  case table
  /// One document.
  case json
  /// One line for each item of a list.
  case jsonl
  /// Titles, then one line a row.
  case tsv

  package var isJSON: Bool { self == .json || self == .jsonl }
}

package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// An option wins; else `NO_COLOR`, `TERM=dumb` and everything that is no terminal turn colour off.
  func isOn(isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
  }
}

/// What the global options say about output.
package struct OutputSettings: Sendable {
  package var format = OutputFormat.table
  package var color = ColorChoice.auto
  package var isQuiet = false
  package var verbosity = 0

  package init() {}
}
