extension SeededGenerator {
  /// Random Unicode, often characters that are difficult in JSON and in file names.
  package mutating func string(upTo length: Int) -> String {
    let awkward: [Unicode.Scalar] = [
      "\0", "/", "%", "~", ",", ".", " ", "\"", "\\", "\n", "\u{7F}", "\u{85}", "\u{E9}", "\u{301}", "e", "A", "a",
      "\u{200D}", "\u{202E}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{1F600}", "\u{10FFFF}", "日", "本",
    ]
    var result = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      switch Int.random(in: 0..<4, using: &self) {
      case 0: result.append(awkward.randomElement(using: &self) ?? "?")
      case 1: result.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)) ?? "?")
      default: result.append(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &self)))
      }
    }
    return String(result)
  }
}
