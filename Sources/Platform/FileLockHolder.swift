#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that holds the lock of a whole file, from the system's own list. The list is read only after a long wait;
/// lock holders write nothing for it.
package struct FileLockHolder: Sendable, Hashable {
  package var process: Int32
  /// The process's name, at most 15 bytes; nil if unknown.
  package var name: String?

  /// Nil if the system keeps no list, or does not show that process: it may be outside of our container.
  package init?(of file: FileIdentity) {
    #if canImport(Darwin)
      return nil
    #else
      guard let list = Self.text("/proc/locks"), let process = Self.process(holding: file, in: list) else { return nil }
      self.process = process
      name = Self.text("/proc/\(process)/comm").map { String($0.prefix { !$0.isNewline }) }
    #endif
  }

  /// The holder of a file's lock in the list. The list has lines like
  /// `3: FLOCK  ADVISORY  WRITE 4711 fe:00:16227759 0 EOF`; `->` before the kind marks a waiter. Device numbers are
  /// hexadecimal.
  static func process(holding file: FileIdentity, in list: String) -> Int32? {
    for line in list.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", let process = Int32(words[4]), process > 0 else { continue }
      let fileID = words[5].split(separator: ":")
      guard fileID.count == 3, let major = UInt64(fileID[0], radix: 16), let minor = UInt64(fileID[1], radix: 16),
        UInt64(fileID[2]) == file.inode, device(major, minor) == file.device
      else { continue }
      return process
    }
    return nil
  }

  /// A device number in the form of `stat`.
  static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | minor & 0xFF | (minor & ~0xFF) << 12
  }

  /// The text of a file that is generated when it is read, and so has no size.
  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 32 << 10)
    while result.count < 4 << 20 {
      let count = read(descriptor, &piece, piece.count)
      if count < 0 { return nil }
      if count == 0 { break }
      result += piece.prefix(count)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
