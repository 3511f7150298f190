/// An object that a keyed archive holds, for files of mapping models.
package indirect enum ArchivedObject: Sendable {
  case null
  case text(String)
  case number(Int)
  case date(Double)
  /// An object with references to others, and with numbers and texts in itself.
  case object(String, [String: ArchivedObject])
  case list([ArchivedObject])

  // MARK: Expressions

  package static func constant(_ value: ArchivedObject) -> ArchivedObject {
    .object("NSConstantValueExpression", ["NSConstantValue": value])
  }

  package static func variable(_ name: String) -> ArchivedObject {
    .object("NSVariableExpression", ["NSVariable": .text(name)])
  }

  package static func method(
    _ target: ArchivedObject, _ selector: String, _ arguments: [ArchivedObject],
    in name: String = "NSFunctionExpression"
  ) -> ArchivedObject {
    .object(
      name, ["NSOperand": target, "NSSelectorName": .text(selector), "NSArguments": .list(arguments)])
  }

  /// `$source.path`.
  package static func source(_ path: String) -> ArchivedObject {
    .method(
      .variable("source"), "valueForKeyPath:",
      [.object("NSKeyPathSpecifierExpression", ["NSKeyPath": .text(path)])], in: "NSKeyPathExpression")
  }

  /// A function of the predicate language.
  package static func function(_ selector: String, _ arguments: ArchivedObject...) -> ArchivedObject {
    .method(
      .object("NSConstantValueExpression", ["NSConstantValueClassName": .text("_NSPredicateUtilities")]), selector,
      arguments)
  }

  package static func dictionary(_ values: KeyValuePairs<String, String>) -> ArchivedObject {
    .object(
      "NSMutableDictionary",
      ["NS.keys": .list(values.map { .text($0.key) }), "NS.objects": .list(values.map { .text($0.value) })])
  }
}

/// Writes keyed archives as binary property lists.
package struct ArchiveWriter {
  private enum Value {
    case integer(Int)
    case real(Double)
    case string(String)
    case reference(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  /// Objects of the property list.
  private var values: [Value] = []
  /// Indexes of the archived objects in ``values``.
  private var objects: [Int] = []

  package static func bytes(of object: ArchivedObject) -> [UInt8] {
    var writer = ArchiveWriter()
    writer.objects = [writer.add(.string("$null"))]
    let root = writer.reference(to: object)
    let list = writer.add(.array(writer.objects))
    let top = writer.dictionary(["root": root])
    let version = writer.add(.integer(100_000))
    let archiver = writer.add(.string("NSKeyedArchiver"))
    let whole = writer.dictionary(["$version": version, "$objects": list, "$archiver": archiver, "$top": top])
    return writer.bytes(top: whole)
  }

  private mutating func add(_ value: Value) -> Int {
    values.append(value)
    return values.count - 1
  }

  private mutating func dictionary(_ members: [String: Int]) -> Int {
    let sorted = members.sorted { $0.key < $1.key }
    let keys = sorted.map { add(.string($0.key)) }
    return add(.dictionary(zip(keys, sorted).map { ($0, $1.value) }))
  }

  private mutating func reference(to object: ArchivedObject) -> Int {
    if case .null = object { return add(.reference(0)) }
    let position = objects.count
    objects.append(0)
    objects[position] = archived(object)
    return add(.reference(position))
  }

  private mutating func archived(_ object: ArchivedObject) -> Int {
    switch object {
    case .null: return add(.string("$null"))
    case .text(let text): return add(.string(text))
    case .number(let number): return add(.integer(number))
    case .date(let seconds):
      return dictionary(["NS.time": add(.real(seconds)), "$class": reference(toClass: "NSDate")])
    case .list(let members):
      let list = members.map { reference(to: $0) }
      return dictionary(["NS.objects": add(.array(list)), "$class": reference(toClass: "NSArray")])
    case .object(let name, let fields):
      var members: [String: Int] = ["$class": reference(toClass: name)]
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        // A dictionary's lists are arrays of the property list.
        if case .list(let list) = value, name.hasSuffix("Dictionary") {
          let references = list.map { reference(to: $0) }
          members[key] = add(.array(references))
        } else {
          members[key] = reference(to: value)
        }
      }
      return dictionary(members)
    }
  }

  private mutating func reference(toClass name: String) -> Int {
    let position = objects.count
    objects.append(0)
    objects[position] = dictionary(["$classname": add(.string(name))])
    return add(.reference(position))
  }

  // MARK: Bytes

  private func bytes(top: Int) -> [UInt8] {
    var result = Array("bplist00".utf8)
    var offsets: [Int] = []
    for value in values {
      offsets.append(result.count)
      switch value {
      case .integer(let number): result += [0x13] + Self.bytes(number, 8)
      case .real(let number): result += [0x23] + Self.bytes(Int(bitPattern: UInt(number.bitPattern)), 8)
      case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
        result += Self.head(5, text.utf8.count) + text.utf8
      case .string(let text): result += Self.head(6, text.utf16.count) + text.utf16.flatMap { Self.bytes(Int($0), 2) }
      case .reference(let position): result += [0x81] + Self.bytes(position, 2)
      case .array(let members): result += Self.head(10, members.count) + members.flatMap { Self.bytes($0, 2) }
      case .dictionary(let members):
        result += Self.head(13, members.count) + members.flatMap { Self.bytes($0.key, 2) }
        result += members.flatMap { Self.bytes($0.value, 2) }
      }
    }
    let table = result.count
    result += offsets.flatMap { Self.bytes($0, 4) }
    result += [0, 0, 0, 0, 0, 0, 4, 2]
    return result + Self.bytes(values.count, 8) + Self.bytes(top, 8) + Self.bytes(table, 8)
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0x0F, 0x11] + bytes(count, 2)
  }

  private static func bytes(_ number: Int, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// Writes the file of a mapping model, `xcmapping.xml`, as Xcode does.
package struct MappingFile {
  package typealias Property = (name: String, expression: ArchivedObject?)

  private let models: String
  private var objects: [String] = []
  private var entities: [String] = []
  private var next = 103

  /// - Parameters: the paths of both versions of the model.
  package init(from source: String, to destination: String) {
    models =
      Self.attribute("sourcemodelpath", source) + Self.attribute("sourcemodeldata", "AAAA", "binary")
      + Self.attribute("destinationmodelpath", destination)
      + Self.attribute("destinationmodeldata", "AAAA", "binary")
  }

  private static func attribute(_ name: String, _ text: String, _ type: String = "string") -> String {
    "<attribute name=\"\(name)\" type=\"\(type)\">\(text)</attribute>\n"
  }

  private static func relationship(_ name: String, _ ids: [String]) -> String {
    "<relationship name=\"\(name)\" type=\"0/0\" destination=\"X\" idrefs=\"\(ids.joined(separator: " "))\"></relationship>\n"
  }

  private mutating func add(_ type: String, _ contents: String) -> String {
    let id = "z\(next)"
    next += 1
    objects.append("<object type=\"\(type)\" id=\"\(id)\">\n\(contents)</object>\n")
    return id
  }

  /// The contents of an archive, in lines.
  package static func archive(_ object: ArchivedObject, _ name: String = "valueexpressiondata") -> String {
    attribute(name, "\n" + base64(ArchiveWriter.bytes(of: object)) + "\n", "binary")
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | (start + $1 < part.endIndex ? Int(bytes[start + $1]) : 0) }
      for position in 0..<4 { result.append(position <= part.count ? digits[bits >> (18 - 6 * position) & 63] : "=") }
      if result.utf8.count % 77 == 76 { result += "\n" }
    }
    return result
  }

  /// Adds an entity mapping. `more`: further attributes, as texts of the file.
  package mutating func map(
    _ source: String?, to destination: String?, number: Int = 1, name: String? = nil, type: String = "Undefined",
    policy: String? = nil, attributes: [Property] = [], relationships: [Property] = [], more: String = ""
  ) {
    func ids(_ type: String, _ properties: [Property], _ more: String, _ file: inout MappingFile) -> [String] {
      properties.map { property in
        file.add(
          type, (property.expression.map { Self.archive($0) } ?? "") + more + Self.attribute("name", property.name))
      }
    }
    let generated = Self.attribute("autogenerateexpression", "1", "bool")
    let attributes = ids("XDDEVATTRIBUTEMAPPING", attributes, "", &self)
    let relationships = ids("XDDEVRELATIONSHIPMAPPING", relationships, generated, &self)
    let texts = [
      ("sourcename", source), ("destinationname", destination), ("name", name), ("mappingtypename", type),
      ("migrationpolicyclassname", policy),
    ]
    let contents = texts.compactMap { name, text in text.map { Self.attribute(name, $0) } }.joined()
    entities.append(
      add(
        "XDDEVENTITYMAPPING",
        contents + Self.attribute("mappingnumber", "\(number)", "int16") + generated + more
          + Self.relationship("attributemappings", attributes)
          + Self.relationship("relationshipmappings", relationships)))
  }

  package var text: String {
    """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
    <databaseInfo><version>134481920</version></databaseInfo>
    \(objects.joined())<object type="XDDEVMAPPINGMODEL" id="z102">
    \(models)\(Self.relationship("entitymappings", entities))</object>
    </database>
    """
  }
}
