/// A command line of bash, up to the cursor, split into words as bash splits it.
///
/// Nothing is expanded and no command is run: `$(…)` stays a text.
struct BashLine {
  enum Quote { case none, single, double }

  /// The words before the last one, without quotes and redirections.
  private(set) var words: [String] = []
  /// The last word without quotes; empty behind a space.
  private(set) var last = ""
  /// The last word as it was typed.
  private(set) var typed = ""
  /// The quote that is open at the end.
  private(set) var quote = Quote.none
  /// Whether the last word is the file of a redirection.
  private(set) var isRedirected = false
  /// Whether the last word has an expansion, so that its value is unknown.
  private(set) var isExpanded = false

  init(_ line: String) {
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        isEscaped = false
        if quote == .double, !Self.escapedInDouble.contains(scalar) { last += "\\" }
        add(scalar)
        continue
      }
      switch (scalar, quote) {
      case ("\\", .none), ("\\", .double):
        isEscaped = true
        typed.unicodeScalars.append(scalar)
      case ("'", .none): setQuote(.single, scalar)
      case ("\"", .none): setQuote(.double, scalar)
      case ("'", .single), ("\"", .double): setQuote(.none, scalar)
      case (" ", .none), ("\t", .none), ("\n", .none): endWord()
      case ("<", .none), (">", .none):
        // The number of a descriptor is not a word.
        if Int(typed) != nil { (last, typed) = ("", "") }
        endWord()
        isRedirected = true
      case ("$", .none), ("$", .double), ("`", .none), ("`", .double):
        isExpanded = true
        add(scalar)
      default: add(scalar)
      }
    }
  }

  private static let escapedInDouble: Set<Unicode.Scalar> = ["$", "`", "\"", "\\"]

  private mutating func add(_ scalar: Unicode.Scalar) {
    last.unicodeScalars.append(scalar)
    typed.unicodeScalars.append(scalar)
  }

  private mutating func setQuote(_ quote: Quote, _ scalar: Unicode.Scalar) {
    self.quote = quote
    typed.unicodeScalars.append(scalar)
  }

  private mutating func endWord() {
    if typed.isEmpty { return }
    if !isRedirected { words.append(last) }
    (last, typed, isRedirected, isExpanded) = ("", "", false, false)
  }

  // MARK: Insertion

  /// The text to insert instead of `part` to complete the last word to `candidate`; nil if no text does.
  ///
  /// - Parameter part: the end of the last word that readline replaces, without an open quote.
  func insertion(of candidate: String, insteadOf part: String) -> String? {
    let keptCount = typed.utf8.count - part.utf8.count
    guard keptCount >= 0, typed.utf8.dropFirst(keptCount).elementsEqual(part.utf8) else { return nil }
    let kept = BashLine(String(decoding: typed.utf8.prefix(keptCount), as: UTF8.self)).last
    guard candidate.utf8.starts(with: kept.utf8) else { return nil }
    let rest = String(decoding: candidate.utf8.dropFirst(kept.utf8.count), as: UTF8.self)
    switch quote {
    case .single: return rest.replacing("'", with: "'\\''")
    // No quote within double quotes turns off the expansion of the history.
    case .double: return rest.contains("!") ? nil : Self.escaped(rest, Self.escapedInDouble.contains)
    case .none: return Self.escaped(rest) { !Self.isPlain($0) }
    }
  }

  private static func escaped(_ text: String, _ needsBackslash: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if needsBackslash(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "/", ".", "-", "_", ":", "@", "+", "=", ",", "%": true
    default: !scalar.isASCII
    }
  }
}
