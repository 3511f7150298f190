import FaultInjection

extension FolderImage {
  /// Whether both images have the same contents, apart from the notes in locks and the system time at the start of a
  /// rebuilt log.
  func isSameButForTimes(as other: FolderImage) -> Bool {
    fingerprint == other.fingerprint || withoutTimes.fingerprint == other.withoutTimes.fingerprint
  }

  private var withoutTimes: FolderImage {
    mappingFiles { files in
      files.mapValues { FileImage(bytes: Self.withoutTimes($0.bytes), isPrivate: $0.isPrivate) }
    }
  }

  /// Replaces milliseconds since 1970, which have 13 digits until the year 2286, with zeros.
  private static func withoutTimes(_ bytes: [UInt8]) -> [UInt8] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var bytes = bytes
    var start = 0
    while let first = bytes[start...].firstIndex(where: digits.contains) {
      let end = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.count
      if end - first == 13 { for index in first..<end { bytes[index] = digits.lowerBound } }
      start = end
    }
    return bytes
  }

  /// A hash that is equal for folders with equal contents. It ignores the notes in locks, because these contain times.
  package var fingerprint: Int {
    var hasher = Hasher()
    add(to: &hasher)
    return hasher.finalize()
  }

  private func add(to hasher: inout Hasher) {
    for name in files.keys.sorted() {
      hasher.combine(name)
      guard name != "lock", let file = files[name] else { continue }
      hasher.combine(file.isPrivate)
      hasher.combine(file.bytes.count)
      file.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    for name in folders.keys.sorted() {
      hasher.combine(name)
      folders[name]?.add(to: &hasher)
    }
    hasher.combine(0)
  }
}
