import CloudService
import CloudStore
import Platform
import TestSupport
import Testing

extension TemporaryCloud {
  /// What repair put away, by its path below `aside`.
  func aside() throws -> [String: [UInt8]] {
    func files(_ folder: Directory, _ prefix: String) throws -> [String: [UInt8]] {
      var result: [String: [UInt8]] = [:]
      for entry in try folder.entries() {
        if entry.kind == .directory {
          result.merge(try files(try folder.directory(entry.name), prefix + entry.name + "/")) { first, _ in first }
        } else {
          result[prefix + entry.name] = try folder.contents(entry.name)
        }
      }
      return result
    }
    let root = try Directory.open(path: path, in: FileSystem())
    return try root.directoryIfPresent("aside").map { try files($0, "") } ?? [:]
  }
}

extension Person {
  /// The sequence of the last line of the zone's log.
  func head() throws -> Int64 {
    let owner = caller.account ?? ""
    let zone = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development/private/\(owner)/zones/\(self.zone.name)",
      in: FileSystem())
    let bytes = try #require(try zone.contents("changes.jsonl"))
    return try #require(
      try bytes.split(separator: 0x0A).last.map { try JSONValue(parsing: Array($0)) }?["sequence"]?.integer)
  }
}
