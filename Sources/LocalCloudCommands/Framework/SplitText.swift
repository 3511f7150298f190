extension String {
  /// The parts before and after the first `byte`; nil if there is none. Compares bytes instead of characters, because
  /// `=` and a combining mark after it form one character.
  func splitOnce(at byte: Unicode.Scalar) -> (before: String, after: String)? {
    guard let index = utf8.firstIndex(of: UInt8(ascii: byte)) else { return nil }
    return (String(self[..<index]), String(self[utf8.index(after: index)...]))
  }
}
