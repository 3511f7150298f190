import FaultInjection

extension FolderImage {
  /// Whether both hold the same, but for the notes in locks and the system's time, which a log that was lost whole begins
  /// with.
  func isSameButForTimes(as other: FolderImage) -> Bool {
    fingerprint == other.fingerprint || withoutTimes.fingerprint == other.withoutTimes.fingerprint
  }

  private var withoutTimes: FolderImage {
    mappingFiles { files in
      files.mapValues { FileImage(bytes: Self.withoutTimes($0.bytes), isPrivate: $0.isPrivate) }
    }
  }

  /// With zeros for milliseconds since 1970, which have 13 digits in this century and the next ones.
  private static func withoutTimes(_ bytes: [UInt8]) -> [UInt8] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var bytes = bytes
    var start = 0
    while let first = bytes[start...].firstIndex(where: digits.contains) {
      let end = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.count
      if end - first == 13 { for place in first..<end { bytes[place] = digits.lowerBound } }
      start = end
    }
    return bytes
  }

  /// The same for folders that hold the same, but for the notes in locks, which tell the time.
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
