import LocalCloudPlatform
import Testing

extension Directory {
  func text(_ name: String) throws -> String { String(decoding: try #require(try contents(name)), as: UTF8.self) }

  /// Changes a file as an editor does. Returns the new content.
  @discardableResult
  func edit(_ name: String, _ change: (String) throws -> String) throws -> [UInt8] {
    let old = try text(name)
    let new = try change(old)
    try #require(new != old)
    try writeStaged(name, Array(new.utf8))
    return Array(new.utf8)
  }
}
