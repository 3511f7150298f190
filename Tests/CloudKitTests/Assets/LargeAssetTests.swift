import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import TestSupport
import Testing

/// Each test runs in its own process with its own memory and staging folder.
@Suite("CKAsset: large files, and the process's staging folder")
struct LargeAssetTests {
  /// A debug build needs about 30 MB. The whole file would need 250 MB.
  private static let bound = 90 << 20
  private static let size = 250_000_000

  @Test("a file of 250 MB is saved and fetched in a few megabytes of memory ([record-limit-5])")
  func memory() async throws {
    let folder = try TestFolder()
    let values = try folder.url.resourceValues(forKeys: [.volumeAvailableCapacityKey])
    guard let free = values.volumeAvailableCapacity, free > 6 * Self.size else {
      print("skipped: no room for three files of 250 MB beside \(folder.url.path)")
      return
    }
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let files = try TestFolder()
      setenv("XDG_CACHE_HOME", files.url.path, 1)
      let (source, size) = (files.url.appendingPathComponent("source"), LargeAssetTests.size)
      try LargeAssetTests.write(size, to: source)
      let cloud = try TestCloud()
      let database = try cloud.container(of: "alice").privateCloudDatabase
      let before = try LargeAssetTests.peak()
      let record = CKRecord(recordType: "Film")
      record["film"] = CKAsset(fileURL: source)
      try await database.save(record)
      let saved = try LargeAssetTests.peak()
      let fetched = try await database.record(for: record.recordID)
      let url = try #require((fetched["film"] as? CKAsset)?.fileURL)
      let after = try LargeAssetTests.peak()
      print("peak: \(before >> 20) MB before, \(saved >> 20) MB saved, \(after >> 20) MB fetched, of \(size) bytes")
      #expect(after < LargeAssetTests.bound, "\(after)")
      #expect(try LargeAssetTests.areEqual(source, url))
      try withExtendedLifetime(files) { try ScratchFolder.remove(cloud.cloud.path) }
      try FileManager.default.removeItem(at: files.url)
      exit(after < LargeAssetTests.bound ? 0 : 1)
    }
    if let output = result?.standardOutputContent {
      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
      print(lines.first { $0.hasPrefix("peak") } ?? "no peak was told")
    }
  }

  @Test("a process that fetches an asset removes the files of ended processes, and leaves those of running processes")
  func processThatFetchesAnAssetRemoves() async {
    await #expect(processExitsWith: .success) {
      let files = try TestFolder()
      setenv("XDG_CACHE_HOME", files.url.path, 1)
      let base = files.url.appendingPathComponent("localcloud/assets")
      for name in ["dead.files", "orphan.files", "living.files"] {
        let folder = base.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appendingPathComponent("1"))
      }
      for name in ["dead", "living"] { try Data().write(to: base.appendingPathComponent(name)) }
      let held = try FileHandle(forUpdating: base.appendingPathComponent("living"))
      #expect(flock(held.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
      let cloud = try TestCloud()
      let database = try cloud.container(of: "alice").privateCloudDatabase
      let source = files.url.appendingPathComponent("source")
      try Data("bytes".utf8).write(to: source)
      let record = CKRecord(recordType: "Film")
      record["film"] = CKAsset(fileURL: source)
      try await database.save(record)
      func fetch() async throws -> URL {
        let fetched = try await database.record(for: record.recordID)
        return try #require((fetched["film"] as? CKAsset)?.fileURL)
      }
      let url = try await fetch()
      #expect(url.path.hasPrefix(base.path))
      #expect(try Data(contentsOf: url) == Data("bytes".utf8))
      let names = try FileManager.default.contentsOfDirectory(atPath: base.path)
      #expect(names.contains("living"))
      #expect(names.contains("living.files"))
      #expect(!names.contains { $0.hasPrefix("dead") || $0.hasPrefix("orphan") })
      // A cleaning tool removes the whole folder.
      try FileManager.default.removeItem(at: files.url.appendingPathComponent("localcloud"))
      #expect(try await Data(contentsOf: fetch()) == Data("bytes".utf8))
      withExtendedLifetime((cloud, held, files)) {}
    }
  }

  static func write(_ size: Int, to url: URL) throws {
    try Data().write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    var written = 0
    while written < size {
      let seed = UInt8(truncatingIfNeeded: written >> 20)
      try handle.write(contentsOf: Data(repeating: seed, count: min(1 << 20, size - written)))
      written += min(1 << 20, size - written)
    }
    try handle.close()
  }

  static func areEqual(_ url: URL, _ other: URL) throws -> Bool {
    let (one, two) = (try FileHandle(forReadingFrom: url), try FileHandle(forReadingFrom: other))
    while true {
      let (left, right) = (try one.read(upToCount: 1 << 20), try two.read(upToCount: 1 << 20))
      guard left == right else { return false }
      if left?.isEmpty ?? true { return true }
    }
  }

  /// The peak memory of this process.
  static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let words = line.split(whereSeparator: \.isWhitespace)
    return try #require(Int(words[1])) * 1024
  }
}
