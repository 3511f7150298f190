import LocalCloudPlatform

extension Directory {
  /// Of a zone's `.journal`: where the next entry belongs.
  func journalEnd() throws -> Int {
    try file("log").read(at: 8, count: 8).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
