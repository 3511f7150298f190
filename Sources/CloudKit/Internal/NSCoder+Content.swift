import Foundation

/// Archives tokens and cursors. They consist only of the server's data.
extension NSCoder {
  func encodeContent(_ data: Data, forKey key: String) { encodePayload(Content(data: data), forKey: key) }

  /// Nil if the archive has no usable value for that key.
  func decodeContent(forKey key: String) -> Data? { decodePayload(Content.self, forKey: key)?.data }
}

private struct Content: Codable {
  var data: Data
}
