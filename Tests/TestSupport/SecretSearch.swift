import Foundation

/// Finds texts in all bytes of the files below a folder: in UTF-8, in UTF-16, and within base64 text.
package struct SecretSearch: Sendable {
  private let forms: [Data]

  /// A text must be long enough that it does not occur by chance: at least 8 bytes.
  package init(_ texts: [String]) {
    forms = texts.flatMap { text in
      precondition(text.utf8.count >= 8)
      let bytes = Data(text.utf8)
      let wide = Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      return [bytes, wide] + (0..<3).map { Self.base64(bytes, after: $0) }
    }
  }

  /// The base64 digits that depend only on these bytes, if `offset` bytes precede them in their group of three.
  private static func base64(_ bytes: Data, after offset: Int) -> Data {
    let text = (Data(count: offset) + bytes).base64EncodedData()
    return text.dropFirst([0, 2, 3][offset]).prefix((offset + bytes.count) * 8 / 6 - [0, 2, 3][offset])
  }

  package func isIn(_ bytes: Data) -> Bool { forms.contains { bytes.range(of: $0) != nil } }

  /// The sorted paths below the folder that contain one of the texts in their name or content. Files that other
  /// processes remove during the search are ignored.
  package func paths(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
      isIn(Data(path.utf8)) || FileManager.default.contents(atPath: folder + "/" + path).map(isIn) ?? false
    }.sorted()
  }
}

/// The files below `devices` of a cloud that other users can read, although the format's specification makes them
/// readable for their owner only.
package func exposedDeviceFiles(in cloud: String) throws -> [String] {
  let files = FileManager.default
  return try files.subpathsOfDirectory(atPath: cloud + "/devices").filter { path in
    guard path.contains("keychain.json") || path.contains("/operations/"),
      // A process may have removed the file in between.
      let attributes = try? files.attributesOfItem(atPath: "\(cloud)/devices/\(path)"),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return false }
    return (attributes[.posixPermissions] as? NSNumber)?.intValue != 0o600
  }.sorted()
}
