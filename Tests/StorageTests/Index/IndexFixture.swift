import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

/// A temporary directory that is deleted with the last reference.
final class IndexFixture: Sendable {
  let path: String
  let fileSystem: FileSystem
  let directory: Directory
  private let ownsDirectory: Bool

  init() throws {
    let parent = HostProcess.environment("TMPDIR") ?? "/tmp"
    let unique = HostProcess.randomBytes(8).map { String($0, radix: 16) }.joined()
    path = "\(parent)/localcloud-index-\(HostProcess.identifier)-\(unique)"
    fileSystem = FileSystem()
    try Directory.make(path: path, in: fileSystem)
    directory = try Directory.open(path: path, in: fileSystem)
    ownsDirectory = true
  }

  /// The same directory as another process uses it. `observer` observes that process's calls.
  init(_ other: IndexFixture, observer: @escaping FileSystem.Observer) throws {
    path = other.path
    fileSystem = FileSystem(observer: observer)
    directory = try Directory.open(path: path, in: fileSystem)
    ownsDirectory = false
  }

  deinit {
    guard ownsDirectory, let split = path.lastIndex(of: "/") else { return }
    let parent = try? Directory.open(path: String(path[..<split]), in: FileSystem())
    try? parent?.removeTree(String(path[path.index(after: split)...]))
  }

  func contents(_ name: String = "index") throws -> [UInt8] { try #require(try directory.contents(name)) }

  /// Replaces the contents of the index.
  func replace(with bytes: [UInt8]) throws {
    try directory.writeStaged("index", bytes)
  }
}

/// Indexes that belong to no zone.
extension IndexFile {
  /// Opens an index, or creates it if there is none.
  static func open(in directory: Directory, name: String) throws -> IndexFile {
    try openIfPresent(in: directory, name: name) ?? create(in: directory, name: name)
  }

  /// Creates an empty index of sequence 0.
  @discardableResult
  static func create(in directory: Directory, name: String) throws -> IndexFile {
    try build(in: directory, name: name, sortedKeys: [], sequence: 0)
  }

  static func openIfPresent(in directory: Directory, name: String) throws -> IndexFile? {
    try openIfPresent(in: directory, name: name, of: 0)
  }

  @discardableResult
  static func build(
    in directory: Directory, name: String, sortedKeys: some Sequence<[UInt8]>, sequence: Int64
  ) throws -> IndexFile {
    try build(in: directory, name: name, of: 0, sortedKeys: sortedKeys, sequence: sequence)
  }

  func keys(prefix: [UInt8] = [], from: [UInt8]? = nil) throws -> [[UInt8]] {
    var result: [[UInt8]] = []
    try scan(prefix: prefix, from: from) { key in
      result.append(key)
      return true
    }
    return result
  }
}

extension PageFile {
  init(file: File) { self.init(file: file, owner: 0) }
}

func sorted(_ keys: some Sequence<[UInt8]>) -> [[UInt8]] {
  keys.sorted { comesBefore($0, $1) }
}

/// Compares byte by byte: in an unoptimized test build the generic comparison is too slow.
func comesBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let order = memcmp(left, right, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}

func begins(_ key: [UInt8], with prefix: [UInt8]) -> Bool {
  key.count >= prefix.count && memcmp(key, prefix, prefix.count) == 0
}

/// A key with a prefix shared with other keys; a few long keys make a deep tree of few pages.
func randomKey(_ generator: inout SeededGenerator, longest: Int) -> [UInt8] {
  let heads: [String] = ["children/", "children/parent", "referrers/", "types/Note/", ""]
  var key = Array(heads.randomElement(using: &generator)!.utf8)
  key += [UInt8](repeating: 0x61, count: Int.random(in: 0...max(0, longest - 40), using: &generator))
  for _ in 0..<Int.random(in: 0...4, using: &generator) {
    key.append([0, 0x61, 0x62, 0xFF].randomElement(using: &generator)!)
  }
  return Array(key.prefix(longest))
}
