import Foundation
import TestSupport

/// This repository's Swift files, as test input.
enum Sources {
  private static let folder = URL(fileURLWithPath: Repository.path).appendingPathComponent("Sources")

  static func all() throws -> [(path: String, bytes: [UInt8])] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map {
      ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }

  static let brackets: [UInt8: Int] = [
    UInt8(ascii: "("): 1, UInt8(ascii: ")"): -1, UInt8(ascii: "["): 1000, UInt8(ascii: "]"): -1000,
    UInt8(ascii: "{"): 1_000_000, UInt8(ascii: "}"): -1_000_000,
  ]
}
