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

extension String {
  /// The parts before and after the first `byte`; nil if there is none. Compares bytes instead of characters, because
  /// `=` and a combining mark after it form one character.
  func splitOnce(at byte: Unicode.Scalar) -> (before: String, after: String)? {
    guard let index = utf8.firstIndex(of: UInt8(ascii: byte)) else { return nil }
    return (String(self[..<index]), String(self[utf8.index(after: index)...]))
  }
}
