import LocalCloudPlatform

/// Reads an XML file into its elements: the part of XML 1.0 that Xcode writes, and some forms that people add by hand.
///
/// The file may come from anyone. Nothing outside it is ever read: a document type is skipped, and one that declares
/// entities is refused. Time and memory grow with the file's length; elements may be nested ``maximumDepth`` deep.
struct XMLReader {
  static let maximumDepth = 100
  static let maximumLength = ReadLimit.text.bytes

  let bytes: [UInt8]
  var offset = 0

  /// The root element of a file.
  static func read(_ bytes: [UInt8]) throws(XMLFault) -> XMLElement {
    guard bytes.count <= maximumLength else { throw XMLFault(message: "the file is too large", offset: 0) }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw XMLFault(message: "the file is in UTF-16; it must be in UTF-8", offset: 0)
    }
    if let offset = firstInvalid(in: bytes) { throw XMLFault(message: "this is not UTF-8", offset: offset) }
    var reader = XMLReader(bytes: bytes)
    return try reader.document()
  }

  /// The offset of the first byte that is not part of UTF-8 text, or of a character that XML does not allow.
  private static func firstInvalid(in bytes: [UInt8]) -> Int? {
    var iterator = bytes.makeIterator()
    var (decoder, offset) = (UTF8(), 0)
    while true {
      switch decoder.decode(&iterator) {
      case .emptyInput: return nil
      case .error: return offset
      case .scalarValue(let scalar):
        guard isAllowed(scalar) else { return offset }
        offset += UTF8.width(scalar)
      }
    }
  }

  /// XML's own rule, without the delete character: a Swift source can't contain it.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 ? [9, 10, 13].contains(scalar.value) : ![0x7F, 0xFFFE, 0xFFFF].contains(scalar.value)
  }

  // MARK: Bytes

  func fault(_ message: String, at offset: Int? = nil) -> XMLFault {
    XMLFault(message: message, offset: offset ?? self.offset)
  }

  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func isNext(_ text: StaticString) -> Bool {
    guard offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    return bytes[offset...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Skips a text that is required here.
  mutating func expect(_ text: StaticString, _ what: String) throws(XMLFault) {
    guard isNext(text) else { throw fault("expected \(text) \(what)") }
    offset += text.utf8CodeUnitCount
  }

  /// Skips everything up to and including a text; returns the range before that text.
  mutating func pass(_ text: StaticString, _ what: String) throws(XMLFault) -> Range<Int> {
    let start = offset
    while !isNext(text) {
      guard offset < bytes.count else { throw fault("\(what) is not closed by \(text)", at: start) }
      offset += 1
    }
    defer { offset += text.utf8CodeUnitCount }
    return start..<offset
  }

  static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  /// Whether there was white space.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = offset
    while Self.isSpace(byte) { offset += 1 }
    return offset > start
  }

  // MARK: The document

  private mutating func document() throws(XMLFault) -> XMLElement {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    if isNext("<?xml"), offset + 5 < bytes.count, Self.isSpace(bytes[offset + 5]) { try declaration() }
    try skipBetween(mayHaveType: true)
    guard byte == UInt8(ascii: "<") else { throw fault("expected an element") }
    let root = try tree()
    try skipBetween(mayHaveType: false)
    guard offset == bytes.count else { throw fault("nothing may stand after the end of <\(root.name)>") }
    return root
  }

  private mutating func declaration() throws(XMLFault) {
    let start = offset
    offset += 5
    while true {
      skipSpace()
      if isNext("?>") {
        offset += 2
        return
      }
      let attribute = try attribute()
      let encodings = ["UTF-8", "US-ASCII", "ASCII"]
      guard attribute.name != "encoding" || encodings.contains(attribute.value.uppercased()) else {
        throw fault("the file says that it is in \(Self.quoted(attribute.value)); it must be in UTF-8", at: start)
      }
    }
  }

  /// Skips white space, comments and instructions, and at most one document type.
  private mutating func skipBetween(mayHaveType: Bool) throws(XMLFault) {
    var mayHaveType = mayHaveType
    while true {
      skipSpace()
      if isNext("<!--") {
        try skipComment()
      } else if isNext("<?") {
        try skipInstruction()
      } else if mayHaveType, isNext("<!DOCTYPE") {
        try skipDocumentType()
        mayHaveType = false
      } else {
        return
      }
    }
  }

  mutating func skipComment() throws(XMLFault) {
    offset += 4
    let text = try pass("-->", "this comment")
    for position in text.dropLast()
    where bytes[position] == UInt8(ascii: "-") && bytes[position + 1] == UInt8(ascii: "-") {
      throw fault("-- may not stand in a comment", at: position)
    }
  }

  mutating func skipInstruction() throws(XMLFault) {
    offset += 2
    _ = try pass("?>", "this instruction")
  }

  private mutating func skipDocumentType() throws(XMLFault) {
    let start = offset
    var quote: UInt8?
    while let byte {
      offset += 1
      switch byte {
      case quote: quote = nil
      case _ where quote != nil: continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      // It may declare entities, and these can grow without end or read other files.
      case UInt8(ascii: "["): throw fault("declarations in the document type are not supported", at: offset - 1)
      case UInt8(ascii: ">"): return
      default: continue
      }
    }
    throw fault("this document type is not closed by >", at: start)
  }
}
