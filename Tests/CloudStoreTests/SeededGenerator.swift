/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Any Unicode, with a liking for what is awkward in JSON and in file names.
  mutating func string(upTo length: Int) -> String {
    let awkward: [Unicode.Scalar] = [
      "\0", "/", "%", "~", ",", ".", " ", "\"", "\\", "\n", "\u{7F}", "\u{85}", "\u{E9}", "\u{301}", "e", "A", "a",
      "\u{200D}", "\u{202E}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{1F600}", "\u{10FFFF}", "日", "本",
    ]
    var result = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      switch Int.random(in: 0..<4, using: &self) {
      case 0: result.append(awkward.randomElement(using: &self)!)
      case 1: result.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)) ?? "?")
      default: result.append(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &self)))
      }
    }
    return String(result)
  }
}
