import LocalCloudPlatform

/// The name of a file that is derived from its bytes: `<digest>-<size>`, or `<digest>-<size>-2` and so on if other
/// contents of the same digest and size are in its folder. So two contents never share a file.
package struct ContentName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// `Digest.hex128` of the bytes.
  package let digest: String
  /// In bytes.
  package let size: Int
  /// 1 for the first content of this digest and size.
  package let number: Int

  /// The number of bytes in memory at a time.
  private static let chunk = 1 << 20

  package init(digest: String, size: Int, number: Int) {
    self.digest = digest
    self.size = size
    self.number = number
  }

  /// Nil if no file can have this name. Every name has one spelling.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0].utf8.count == 32,
      parts[0].utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }), let size = Int(parts[1]), size >= 0
    else { return nil }
    let number = parts.count == 3 ? Int(parts[2]) : 1
    guard let number, number >= 1 else { return nil }
    self.init(digest: String(parts[0]), size: size, number: number)
    guard description == text else { return nil }
  }

  package var description: String { number == 1 ? "\(digest)-\(size)" : "\(digest)-\(size)-\(number)" }

  /// Whether a file holds the bytes that the name describes. Reads the whole file.
  package func isHeld(by file: File) throws(SystemError) -> Bool {
    guard try file.size() == size else { return false }
    var digest = StreamingDigest()
    // A file that is written to continuously has no end.
    while digest.count <= size, case let bytes = try file.read(at: digest.count, count: Self.chunk), !bytes.isEmpty {
      digest.add(bytes)
    }
    return digest.count == size && digest.hex128 == self.digest
  }

  package static func < (left: ContentName, right: ContentName) -> Bool { left.description < right.description }
}
