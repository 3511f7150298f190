extension String {
  /// The parts before and after the first `byte`. By bytes, since a combining mark after `=` would make another
  /// character of it.
  func splitOnce(at byte: Unicode.Scalar) -> (before: String, after: String)? {
    guard let index = utf8.firstIndex(of: UInt8(ascii: byte)) else { return nil }
    return (String(self[..<index]), String(self[utf8.index(after: index)...]))
  }
}
