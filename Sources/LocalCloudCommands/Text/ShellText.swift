/// Quotes words for a POSIX shell.
enum ShellText {
  /// The word in single quotes: a shell expands nothing in them.
  static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// The word, quoted only if a shell needs it.
  static func word(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "A"..."Z", "a"..."z", "0"..."9", "/", ".", "-", "_", ":", "@", "+", "=", ",", "%": true
      default: false
      }
    }
    return isPlain && !word.isEmpty ? word : quoted(word)
  }
}
