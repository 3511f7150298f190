/// Compares names byte for byte, as `NSString` and the server do; `==` also equates canonically equivalent text.
extension String {
  func isSameText(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension Hasher {
  mutating func combine(text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(0xFF as UInt8)
  }
}
