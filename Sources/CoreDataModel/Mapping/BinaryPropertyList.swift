/// What is wrong with an archive in a file of a mapping model.
struct ArchiveFault: Error, Equatable {
  var message: String
}

/// Reads a property list in the binary form (`bplist00`), one object at a time.
///
/// The bytes may be anything: each number is checked before it is used, and ``budget`` limits the work, since a small list may
/// refer to one large object many times.
struct BinaryPropertyList {
  /// An object. Members of collections are indexes of objects.
  enum Object: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference of a keyed archive: an index in its list of objects.
    case reference(Int)
    case array([Int])
    case dictionary([Int: Int])
  }

  private static let (header, trailerLength) = (Array("bplist00".utf8), 32)

  private let bytes: [UInt8]
  private let offsetLength: Int
  private let indexLength: Int
  private let count: Int
  private let tableOffset: Int
  /// The index of the list's outermost object.
  let top: Int
  /// How many bytes may still be read.
  private var budget: Int

  init(_ bytes: [UInt8]) throws(ArchiveFault) {
    guard bytes.starts(with: Self.header), bytes.count >= Self.header.count + Self.trailerLength else {
      throw ArchiveFault(message: "it is no binary property list")
    }
    let trailer = bytes.count - Self.trailerLength
    let damaged = ArchiveFault(message: "the property list is damaged")
    func number(at offset: Int) -> Int? { Self.unsigned(bytes[offset..<offset + 8]) }
    guard let count = number(at: trailer + 8), let top = number(at: trailer + 16),
      let table = number(at: trailer + 24), top < count, table <= trailer
    else { throw damaged }
    (offsetLength, indexLength) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetLength), (1...8).contains(indexLength), count <= (trailer - table) / offsetLength
    else { throw damaged }
    self.bytes = bytes
    (self.count, self.top, tableOffset) = (count, top, table)
    budget = max(1 << 20, 4 * bytes.count)
  }

  /// An unsigned number of up to eight bytes, the highest one first; nil if it does not fit.
  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private mutating func slice(_ offset: Int, _ length: Int) throws(ArchiveFault) -> ArraySlice<UInt8> {
    guard length >= 0, offset >= 0, offset <= bytes.count, length <= bytes.count - offset else {
      throw ArchiveFault(message: "the property list is damaged")
    }
    budget -= length + 1
    guard budget >= 0 else { throw ArchiveFault(message: "the property list is too large") }
    return bytes[offset..<offset + length]
  }

  private mutating func number(_ offset: Int, _ length: Int) throws(ArchiveFault) -> Int {
    guard let number = Self.unsigned(try slice(offset, length)) else {
      throw ArchiveFault(message: "the property list is damaged")
    }
    return number
  }

  /// The object with an index.
  mutating func object(at index: Int) throws(ArchiveFault) -> Object {
    guard (0..<count).contains(index) else { throw ArchiveFault(message: "the property list is damaged") }
    let offset = try number(tableOffset + index * offsetLength, offsetLength)
    guard let marker = try slice(offset, 1).first else { throw ArchiveFault(message: "the property list is damaged") }
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0 where low == 0: return .null
    case 0 where low == 8 || low == 9: return .boolean(low == 9)
    case 1 where low <= 4: return .integer(try integer(offset + 1, 1 << low))
    case 2 where low == 2 || low == 3, 3 where low == 3:
      let bits = try slice(offset + 1, 1 << low).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let value = low == 2 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      return marker >> 4 == 3 ? .date(value) : .real(value)
    case 4, 5, 6:
      let (start, length) = try length(offset, low)
      guard marker >> 4 == 6 else {
        let content = try slice(start, length)
        return marker >> 4 == 4 ? .data(Array(content)) : .string(String(decoding: content, as: UTF8.self))
      }
      let units = Array(try slice(start, try doubled(length)))
      return .string(
        String(
          decoding: stride(from: 0, to: units.count, by: 2).map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) },
          as: UTF16.self))
    case 8 where low < 8: return .reference(try number(offset + 1, low + 1))
    case 10:
      let (start, length) = try length(offset, low)
      return .array(try indexes(start, length))
    case 13:
      let (start, length) = try length(offset, low)
      let members = try indexes(start, try doubled(length))
      return .dictionary(Dictionary(zip(members[..<length], members[length...])) { first, _ in first })
    default: throw ArchiveFault(message: "the property list has an object of an unknown kind")
    }
  }

  private mutating func integer(_ offset: Int, _ length: Int) throws(ArchiveFault) -> Int64 {
    // One of eight bytes is signed, shorter ones are not; of sixteen bytes the lower half counts.
    let bits = try slice(offset, length).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: bits)
  }

  private func doubled(_ length: Int) throws(ArchiveFault) -> Int {
    guard length <= bytes.count else { throw ArchiveFault(message: "the property list is damaged") }
    return 2 * length
  }

  /// The offset of an object's content, and its length in members; a long one stands in an integer of its own.
  private mutating func length(_ offset: Int, _ low: Int) throws(ArchiveFault) -> (start: Int, length: Int) {
    guard low == 15 else { return (offset + 1, low) }
    guard let marker = try slice(offset + 1, 1).first, marker >> 4 == 1, marker & 0x0F <= 3 else {
      throw ArchiveFault(message: "the property list is damaged")
    }
    let size = 1 << Int(marker & 0x0F)
    return (offset + 2 + size, try number(offset + 2, size))
  }

  private mutating func indexes(_ offset: Int, _ length: Int) throws(ArchiveFault) -> [Int] {
    guard length <= bytes.count else { throw ArchiveFault(message: "the property list is damaged") }
    var result: [Int] = []
    for position in 0..<length { result.append(try number(offset + position * indexLength, indexLength)) }
    return result
  }
}
