#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSONValue {
  /// Reads one JSON text of RFC 8259, UTF-8, with nothing but white space around it.
  ///
  /// A key that occurs twice, a lone surrogate, a byte order mark and a number beyond `Double` are errors. A number
  /// without fraction and exponent is an `.integer` if it fits; a number with more digits than a `Double` would be
  /// written with is a `.decimal`.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      try JSONParser.parse(bytes, maximumDepth: maximumDepth)
    }
  }

  /// Reads part of an array without copying it; errors count from the part's beginning.
  package init(parsing bytes: ArraySlice<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      try JSONParser.parse(bytes, maximumDepth: maximumDepth)
    }
  }

  package init(parsing bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    self = try JSONParser.parse(bytes, maximumDepth: maximumDepth)
  }

  package init(parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = 64) throws(JSONError) {
    self = try bytes.withMemoryRebound(to: UInt8.self) { (bytes) throws(JSONError) in
      try JSONParser.parse(bytes, maximumDepth: maximumDepth)
    }
  }

  package init(parsing text: String, maximumDepth: Int = 64) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
  }
}

/// Bytes in JSON: in base64, with the standard alphabet and padding.
extension [UInt8] {
  package var base64Text: String { Data(self).base64EncodedString() }

  /// Nil if the text is not base64.
  package init?(base64Text text: String) {
    guard let data = Data(base64Encoded: text) else { return nil }
    self.init(data)
  }
}
