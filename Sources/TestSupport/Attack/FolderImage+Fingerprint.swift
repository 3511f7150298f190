extension FolderImage {
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
