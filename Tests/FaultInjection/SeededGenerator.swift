import LocalCloudPlatform
import Synchronization

/// The SplitMix64 generator. The same seed gives the same numbers on every machine.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// The seeds of random tests. They are the same in each run, so that a failure can be reproduced.
package enum TestSeed {
  /// The value of `LOCALCLOUD_TEST_SEED`. A value that is not a whole number stops the tests.
  private static let given: UInt64? = {
    let seed = HostProcess.environment("LOCALCLOUD_TEST_SEED").map { text in
      guard let seed = UInt64(text) else { fatalError("LOCALCLOUD_TEST_SEED is no whole number: \(text)") }
      return seed
    }
    print("seed of the random tests: \(seed ?? constant) (LOCALCLOUD_TEST_SEED gives another)")
    return seed
  }()

  private static let constant: UInt64 = 20_261_124

  /// The seed from the environment, or a constant without one.
  package static var value: UInt64 { given ?? constant }

  /// A test's own seeds: unchanged, or shifted by the seed from the environment.
  package static func values(_ own: some Sequence<UInt64>) -> [UInt64] { own.map { $0 &+ (given ?? 0) } }

  package static func value(_ own: UInt64) -> UInt64 { own &+ (given ?? 0) }

  /// A distinct seed for each test name.
  package static func value(_ name: String) -> UInt64 {
    name.utf8.reduce(value) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// Selects one of every `distance` items.
package struct Sampler {
  private let distance: Int
  private var count: Int

  /// Creates a sampler. With a distance of 0 it selects nothing. The seed determines the first item selected.
  package init(oneIn distance: Int, seed: UInt64) {
    self.distance = distance
    count = distance > 0 ? Int(seed % UInt64(distance)) : 0
  }

  package mutating func takes() -> Bool {
    guard distance > 0 else { return false }
    count += 1
    return count % distance == 0
  }
}

/// A counter. Use it from any thread.
package final class Counter: Sendable {
  private let value = Atomic<Int64>(0)

  package init() {}

  package func next() -> Int64 { add(1) }

  package func add(_ number: Int) -> Int64 { value.wrappingAdd(Int64(number), ordering: .relaxed).newValue }
}

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
