import LocalCloudPlatform

extension Directory {
  /// The offset for the next entry in the log, if this folder is a zone's `.journal`.
  func journalEnd() throws -> Int {
    try file("log").read(at: 8, count: 8).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
