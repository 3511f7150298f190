import LocalCloudModel
import LocalCloudStorage

/// The fields that a command line gives, in the form of Web Services.
package struct FieldArguments: Sendable {
  /// Field dictionaries by name; `{ "value": null }` removes a field.
  package private(set) var fields = JSONObject()
  /// Asset fields by name.
  package private(set) var assets: [String: FieldAssets] = [:]

  package init() {}

  /// Parses words, for example `name=Ada` or `age:int64=36`.
  package init(words: [String]) throws {
    for word in words {
      guard let (head, text) = word.splitOnce(at: "=") else {
        throw CommandFailure.usage("field \"\(word)\": expected name=value", hint: "see \"localcloud help fields\"")
      }
      let (name, type) = head.splitOnce(at: ":") ?? (head, nil)
      do throws(FieldProblem) {
        guard !name.isEmpty else { throw FieldProblem("the name is missing") }
        guard name != "recordName" else {
          throw FieldProblem(
            "recordName is the name of the record, not a field",
            hint: "a new record is named by --name; --fields-json takes a field of any name")
        }
        guard fields[name] == nil, assets[name] == nil else { throw FieldProblem("\(name) is given twice") }
        try add(name, type: type, text: text)
      } catch {
        throw error.failure("field \"\(word)\"")
      }
    }
  }

  /// Parses a JSON object of fields. Error messages name `source`.
  package init(json bytes: [UInt8], source: String) throws {
    let parsed: JSONValue
    do throws(JSONError) {
      parsed = try JSONValue(parsing: bytes)
    } catch {
      throw CommandFailure.usage("\(source) is not JSON: \(error)")
    }
    guard let object = parsed.object else { throw CommandFailure.usage("\(source) is not a JSON object") }
    for (name, value) in object {
      do throws(FieldProblem) {
        guard !name.isEmpty else { throw FieldProblem("the name is missing") }
        try add(name, json: value)
      } catch {
        throw error.failure("\(source): field \"\(name)\"")
      }
    }
  }

  /// Merges `other` into these fields. Fields of `other` replace those of the same name.
  package mutating func merge(_ other: FieldArguments) {
    for (name, value) in other.fields {
      fields[name] = value
      assets[name] = nil
    }
    for (name, value) in other.assets {
      assets[name] = value
      fields[name] = nil
    }
  }

  private mutating func add(_ name: String, json: JSONValue) throws(FieldProblem) {
    switch try WrittenField(json) {
    case .dictionary(let field):
      fields[name] = .object(field)
      assets[name] = nil
    case .other(let contents, let typeName):
      let (field, assets) = try FieldToolJSON.field(contents, typeName: typeName)
      fields[name] = field.map { .object($0) }
      self.assets[name] = assets
    }
  }

  private mutating func add(_ name: String, type written: String?, text: String) throws(FieldProblem) {
    switch written {
    case nil: fields[name] = .object(FieldType.string.field(.string(text)))
    case "json": try add(name, json: FieldArguments.parse(text))
    case "null":
      guard text.isEmpty else { throw FieldProblem("null takes no value: write \(name):null=") }
      fields[name] = ["value": .null]
    case "asset":
      guard !text.isEmpty else { throw FieldProblem("an asset needs the path of a file") }
      assets[name] = FieldAssets(source: .paths([text]), isList: false)
    case "deleteSelf":
      fields[name] = .object(FieldType.reference.field(try FieldText.reference(text, action: "DELETE_SELF")))
    case "validate":
      fields[name] = .object(FieldType.reference.field(try FieldText.reference(text, action: "VALIDATE")))
    case "encrypted": fields[name] = .object(FieldType.string.field(.string(text), isEncrypted: true))
    case let word?: try addTyped(name, word, text)
    }
  }

  /// Adds a field with a type written as `int64`, `int64-list`, `encrypted-int64` or `encrypted-int64-list`.
  private mutating func addTyped(_ name: String, _ word: String, _ text: String) throws(FieldProblem) {
    var base = word
    let isEncrypted = base.hasPrefix("encrypted-")
    if isEncrypted { base = String(base.dropFirst("encrypted-".count)) }
    let isList = base.hasSuffix("-list")
    if isList { base = String(base.dropLast("-list".count)) }
    guard let type = FieldType(word: base) else {
      let near = WordSuggestion.nearest(to: word, among: FieldArguments.typeWords)
      throw FieldProblem(
        "there is no type \"\(word)\"", hint: near.map { "did you mean \"\($0)\"?" } ?? "see \"localcloud help fields\""
      )
    }
    guard !isEncrypted || type.canBeEncrypted else { throw FieldProblem("a field of type \(base) cannot be encrypted") }
    guard isList else {
      fields[name] = .object(type.field(try FieldText.value(text, of: type), isEncrypted: isEncrypted))
      return
    }
    guard let items = try FieldArguments.parse(text).array else {
      throw FieldProblem("a list is written as JSON: \(name):\(word)=[…]")
    }
    let texts = items.map { $0.string ?? "\($0)" }
    if type == .asset {
      assets[name] = FieldAssets(source: .paths(texts), isList: true)
      return
    }
    var values: [JSONValue] = []
    for text in texts { values.append(try FieldText.value(text, of: type)) }
    fields[name] = .object(type.field(.array(values), isList: true, isEncrypted: isEncrypted))
  }

  private static func parse(_ text: String) throws(FieldProblem) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw FieldProblem("\"\(text)\" is not JSON: \(error.message)")
    }
  }

  private static let typeWords =
    FieldType.written.map(\.word) + ["json", "null", "deleteSelf", "validate", "encrypted"]
    + FieldType.written.map { "\($0.word)-list" } + FieldType.written.map { "encrypted-\($0.word)" }
}
