import Foundation

/// This repository's Swift files, as material.
enum Sources {
  private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources")

  static func all() throws -> [(path: String, bytes: [UInt8])] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map {
      ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }

  static let brackets: [UInt8: Int] = [
    UInt8(ascii: "("): 1, UInt8(ascii: ")"): -1, UInt8(ascii: "["): 1000, UInt8(ascii: "]"): -1000,
    UInt8(ascii: "{"): 1_000_000, UInt8(ascii: "}"): -1_000_000,
  ]
}

/// The same numbers in each run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
