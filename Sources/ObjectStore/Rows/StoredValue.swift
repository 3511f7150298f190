import LocalCloudStorage

/// The value of an attribute.
package enum StoredValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number of any of the integer types.
  case integer(Int64)
  case double(Double)
  /// The digits of a decimal number, as `Decimal` prints them.
  case decimal(String)
  case string(String)
  /// Seconds since the start of 2001, as in `NSDate`.
  case date(Double)
  /// Bytes: of a binary attribute, or the output of a value transformer.
  case binary([UInt8])
  /// Bytes in a file of the store. The row names the file by its digest.
  case external(ExternalBinary)
  /// In capitals, as `UUID` prints it.
  case uuid(String)
  case uri(String)
}

package struct ExternalBinary: Sendable, Hashable {
  package var digest: String
  package var size: Int

  package init(digest: String, size: Int) {
    self.digest = digest
    self.size = size
  }

  /// Whether the size and the name of the file are those of these bytes. Other bytes of the same digest have a name
  /// that begins alike.
  package func isOf(_ bytes: [UInt8]) -> Bool { bytes.count == size && digest.hasPrefix(Digest.hex128(bytes)) }
}
