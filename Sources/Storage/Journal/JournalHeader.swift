import LocalCloudPlatform

/// The header of a journal: the end of the entries that are applied to the folder's files, the boot for which that is
/// valid, and the generation, a count of the passes over the file.
///
/// The header is written without a sync, except at a checkpoint. A checkpoint begins a new generation. Its frames
/// overwrite those of older generations, and those no longer count.
package struct JournalHeader: Equatable {
  package static let size = 48
  private static let magic = Array("LCKJRNL1".utf8)

  package var generation: UInt64
  /// On that boot, the files include the journal up to this offset.
  package var applied: Int
  /// The digest of the boot's identifier.
  package var boot: [UInt8]

  /// The boot of a header that does not describe the files.
  package static let noBoot = [UInt8](repeating: 0, count: 16)

  package static func boot(of fileSystem: FileSystem) -> [UInt8] {
    let bytes = Array(fileSystem.bootIdentifier.utf8)
    var result: [UInt8] = []
    result.append(littleEndian: Digest.hash64(bytes, seed: 1))
    result.append(littleEndian: Digest.hash64(bytes, seed: 2))
    return result
  }

  package init(generation: UInt64 = 0, applied: Int = size, boot: [UInt8]) {
    self.generation = generation
    self.applied = applied
    self.boot = boot
  }

  /// Nil if the header is truncated, torn or garbled.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size, Array(bytes[0..<8]) == Self.magic,
      bytes.littleEndian(UInt64.self, at: 40) == Digest.hash64(Array(bytes[0..<40]))
    else { return nil }
    applied = max(Self.size, Int(clamping: bytes.littleEndian(UInt64.self, at: 8)))
    boot = Array(bytes[16..<32])
    generation = bytes.littleEndian(UInt64.self, at: 32)
  }

  package var bytes: [UInt8] {
    var result = Self.magic
    result.append(littleEndian: UInt64(applied))
    result += boot
    result.append(littleEndian: generation)
    result.append(littleEndian: Digest.hash64(result))
    return result
  }
}
