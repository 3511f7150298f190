import LocalCloudModel
import LocalCloudStorage

/// The type of a field's values in a schema.
package struct SchemaFieldType: Sendable, Hashable {
  package enum Element: Sendable, Hashable {
    case asset, bytes, double, int64, location, reference, string, timestamp
    /// A number without a fixed kind, with a preferred kind or none.
    case number(preferred: Preferred?)

    package enum Preferred: String, Sendable, CaseIterable {
      case int64 = "INT64"
      case double = "DOUBLE"
    }
  }

  package var element: Element
  package var isList: Bool
  package var isEncrypted: Bool

  package init(_ element: Element, isList: Bool = false, isEncrypted: Bool = false) {
    self.element = element
    self.isList = isList
    self.isEncrypted = isEncrypted
  }

  /// The type that the first save of a value declares for its field; nil for an empty list, as it has no element type.
  init?(of value: FieldValue, isEncrypted: Bool) {
    let isList: Bool
    let found: FieldValue.ElementType?
    if case .list(let type, _) = value {
      (isList, found) = (true, type)
    } else {
      (isList, found) = (false, value.elementType)
    }
    guard let element = found.flatMap(Element.init) else { return nil }
    self.init(element, isList: isList, isEncrypted: isEncrypted)
  }

  /// The type of a stored field. The field's dictionary always names it; nil for an invalid dictionary without a type.
  init?(ofField field: JSONObject) {
    guard var name = field["type"]?.string else { return nil }
    isList = name.hasSuffix("_LIST")
    if isList { name.removeLast("_LIST".count) }
    guard let element = FieldValue.ElementType(name: name).flatMap(Element.init) else { return nil }
    self.element = element
    isEncrypted = field.isEncryptedField
  }

  /// The indexes that a field of this type may have ([schema-text-5]).
  package var allowedIndexes: SchemaField.Indexes {
    if isEncrypted { return [] }
    switch element {
    case .asset: return []
    case .string: return [.queryable, .searchable, .sortable]
    case .reference: return .queryable
    case .bytes, .double, .int64, .location, .number, .timestamp: return isList ? .queryable : [.queryable, .sortable]
    }
  }

  /// The indexes of a field that its first value creates ([schema-growth-1]).
  var justInTimeIndexes: SchemaField.Indexes {
    isList ? allowedIndexes.subtracting(.sortable) : allowedIndexes
  }

  /// The spelling in the schema language.
  package var text: String {
    var text = element.keyword
    if isEncrypted { text = "ENCRYPTED " + text }
    if case .number(let preferred?) = element { text += " PREFERRED AS " + preferred.rawValue }
    return isList ? "LIST<\(text)>" : text
  }

  /// The spelling in the server's messages.
  package var serverName: String {
    (isEncrypted ? "ENCRYPTED_" : "") + (element == .asset ? "ASSETID" : element.keyword) + (isList ? "_LIST" : "")
  }
}

extension SchemaFieldType.Element {
  package var keyword: String {
    switch self {
    case .asset: "ASSET"
    case .bytes: "BYTES"
    case .double: "DOUBLE"
    case .int64: "INT64"
    case .location: "LOCATION"
    case .number: "NUMBER"
    case .reference: "REFERENCE"
    case .string: "STRING"
    case .timestamp: "TIMESTAMP"
    }
  }

  /// Whether fields of this type can be encrypted: those that the server need not read ([schema-text-4]).
  package var canBeEncrypted: Bool {
    switch self {
    case .asset, .reference, .number: false
    case .bytes, .double, .int64, .location, .string, .timestamp: true
    }
  }

  fileprivate init?(_ type: FieldValue.ElementType) {
    switch type {
    case .asset: self = .asset
    case .bytes: self = .bytes
    case .double: self = .double
    case .int64: self = .int64
    case .location: self = .location
    case .reference: self = .reference
    case .string: self = .string
    case .timestamp: self = .timestamp
    case .unknown: return nil
    }
  }

  /// The element type that an empty list of this type gets.
  package var valueType: FieldValue.ElementType {
    switch self {
    case .asset: .asset
    case .bytes: .bytes
    case .double: .double
    case .int64: .int64
    case .location: .location
    case .number(let preferred): preferred == .double ? .double : .int64
    case .reference: .reference
    case .string: .string
    case .timestamp: .timestamp
    }
  }
}
