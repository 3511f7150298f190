/// Reads a keyed archive, as `NSKeyedArchiver` writes it: a list of objects that refer to each other.
struct KeyedArchive {
  /// An archived object.
  enum Item {
    case null
    /// A string, number or other value of a property list.
    case value(BinaryPropertyList.Object)
    /// An object of a class. Fields are indexes of the property list's objects.
    case object(className: String, fields: [String: Int])
  }

  private var list: BinaryPropertyList
  /// The indexes of the archived objects in the property list.
  private var objects: [Int] = []
  /// The index of the outermost object's reference in the property list.
  private(set) var root = 0

  init(_ bytes: [UInt8]) throws(ArchiveFault) {
    list = try BinaryPropertyList(bytes)
    let archive = try fields(list.top)
    guard let listed = archive["$objects"], let top = archive["$top"], let root = try fields(top)["root"],
      case .array(let objects) = try list.object(at: listed)
    else { throw ArchiveFault(message: "it is no keyed archive") }
    self.objects = objects
    self.root = root
  }

  private mutating func fields(_ index: Int) throws(ArchiveFault) -> [String: Int] {
    guard case .dictionary(let members) = try list.object(at: index) else {
      throw ArchiveFault(message: "it is no keyed archive")
    }
    return try fields(members)
  }

  private mutating func fields(_ members: [Int: Int]) throws(ArchiveFault) -> [String: Int] {
    var result: [String: Int] = [:]
    for (key, value) in members {
      guard case .string(let name) = try list.object(at: key) else {
        throw ArchiveFault(message: "it is no keyed archive")
      }
      result[name] = value
    }
    return result
  }

  /// The item at an index of the property list, or the one that the reference there leads to.
  mutating func item(_ index: Int) throws(ArchiveFault) -> Item {
    var object = try list.object(at: index)
    if case .reference(let number) = object {
      guard objects.indices.contains(number) else { throw ArchiveFault(message: "the archive is damaged") }
      object = try list.object(at: objects[number])
      if object == .string("$null") { return .null }
    }
    guard case .dictionary(let members) = object else { return object == .null ? .null : .value(object) }
    var fields = try fields(members)
    guard let reference = fields.removeValue(forKey: "$class"),
      case .reference(let number) = try list.object(at: reference),
      objects.indices.contains(number), let name = try self.fields(objects[number])["$classname"],
      case .string(let className) = try list.object(at: name)
    else { throw ArchiveFault(message: "the archive has an object without a class") }
    return .object(className: className, fields: fields)
  }

  /// A text; nil for a missing field, and for any other value.
  mutating func text(_ index: Int?) throws(ArchiveFault) -> String? {
    guard let index, case .string(let text) = try value(index) else { return nil }
    return text
  }

  /// The members of an archived array or set; none for a field that is not there.
  mutating func members(_ index: Int?) throws(ArchiveFault) -> [Int] {
    guard let index else { return [] }
    switch try item(index) {
    case .null: return []
    case .object(_, let fields):
      if let members = fields["NS.objects"], case .array(let indexes) = try list.object(at: members) { return indexes }
    case .value(.array(let indexes)): return indexes
    case .value: break
    }
    throw ArchiveFault(message: "the archive has another object in place of a list")
  }

  // MARK: Values

  /// A constant.
  ///
  /// - Parameter depth: How deep the value may be nested.
  mutating func value(_ index: Int, depth: Int = 30) throws(ArchiveFault) -> MappedValue {
    guard depth > 0 else { throw ArchiveFault(message: "the archive is nested too deep") }
    switch try item(index) {
    case .null: return .null
    case .value(let value): return try Self.value(value)
    case .object(let className, let fields): return try value(className, fields, depth)
    }
  }

  private static func value(_ object: BinaryPropertyList.Object) throws(ArchiveFault) -> MappedValue {
    switch object {
    case .null: .null
    case .boolean(let truth): .boolean(truth)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .date(let seconds): .date(seconds)
    case .data(let bytes): .data(bytes)
    case .string(let text): .string(text)
    case .reference, .array, .dictionary: throw ArchiveFault(message: "the archive is damaged")
    }
  }

  private mutating func value(
    _ className: String, _ fields: [String: Int], _ depth: Int
  ) throws(ArchiveFault) -> MappedValue {
    switch className {
    case "NSString", "NSMutableString":
      if let index = fields["NS.string"], case .string(let text) = try list.object(at: index) { return .string(text) }
    case "NSDate":
      switch try fields["NS.time"].map({ (index) throws(ArchiveFault) in try list.object(at: index) }) {
      case .real(let seconds)?: return .date(seconds)
      case .integer(let seconds)?: return .date(Double(seconds))
      default: break
      }
    case "NSData", "NSMutableData":
      if let index = fields["NS.data"], case .data(let bytes) = try list.object(at: index) { return .data(bytes) }
    case "NSNull": return .null
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
      var values: [MappedValue] = []
      for member in try members(fields["NS.objects"]) { values.append(try value(member, depth: depth - 1)) }
      return .list(values)
    case "NSDictionary", "NSMutableDictionary":
      return .dictionary(try dictionary(fields, depth))
    default: break
    }
    throw ArchiveFault(message: "a value of the class \(XMLReader.quoted(className)) is not supported")
  }

  private mutating func dictionary(
    _ fields: [String: Int], _ depth: Int
  ) throws(ArchiveFault) -> [String: MappedValue] {
    let (keys, values) = (try members(fields["NS.keys"]), try members(fields["NS.objects"]))
    guard keys.count == values.count else { throw ArchiveFault(message: "the archive is damaged") }
    var result: [String: MappedValue] = [:]
    for (key, member) in zip(keys, values) {
      guard case .string(let name) = try value(key, depth: depth - 1) else {
        throw ArchiveFault(message: "a key is no text")
      }
      result[name] = try value(member, depth: depth - 1)
    }
    return result
  }

  /// User information: values under texts.
  mutating func userInfo() throws(ArchiveFault) -> [String: MappedValue] {
    switch try value(root) {
    case .dictionary(let values): return values
    case .null: return [:]
    default: throw ArchiveFault(message: "the user information is no dictionary")
    }
  }
}
