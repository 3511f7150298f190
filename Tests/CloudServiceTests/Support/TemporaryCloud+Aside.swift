import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

extension TemporaryCloud {
  /// The files that repair set aside, by path below `aside`.
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
    let bytes = try #require(try zoneFolder().contents("changes.jsonl"))
    return try #require(
      try bytes.split(separator: 0x0A).last.map { try JSONValue(parsing: Array($0)) }?["sequence"]?.integer)
  }

  /// The text in a note's file. The journal may have a newer one.
  func storedText(of name: ExactName) throws -> String? {
    let bytes = try zoneFolder().directory("records").contents("\(name).json")
    return try bytes.map { try JSONValue(parsing: $0) }?["fields"]?["text"]?["value"]?.string
  }

  /// The folder of the zone, if the person owns it.
  func zoneFolder() throws -> Directory { try cloud.zoneFolder(zone.name.string, of: caller.account ?? "") }
}
