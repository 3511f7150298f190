import Foundation
import LocalCloudStorage

/// Hashes of the parts of a model, over texts that list the differences between versions.
enum VersionHash {
  /// The parts on one line. Different parts give different lines.
  static func line(_ parts: String...) -> String { line(parts) }

  static func line(_ parts: [String]) -> String {
    parts.map { "\($0.utf8.count):\($0)" }.joined(separator: " ") + "\n"
  }

  static func hex(_ text: String) -> String { Digest.hex128(Array(text.utf8)) }

  static func data(_ text: String) -> Data { data(hex: hex(text)) }

  /// The bytes of a hash. A character that is not a hexadecimal digit counts as zero.
  static func data(hex: String) -> Data {
    let digits = Array(hex.utf8)
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).map { index in
        UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
      })
  }
}
