import LocalCloudModel

/// Checks a batch's values against the schema, and collects the types and fields that development adds to it
/// ([schema-growth-1]).
///
/// - Assumption: an integer fits a DOUBLE field, as clients can't always tell them apart; a fraction does not fit
///   INT64.
struct SchemaReview {
  let schema: Schema
  private let environment: CloudEnvironment
  /// Types and fields that the batch needs and the schema lacks; only in development.
  private(set) var growth = SchemaGrowth()

  init(_ schema: Schema, _ environment: CloudEnvironment) {
    self.schema = schema
    self.environment = environment
  }

  /// Accepts the type of a record to be saved, and adds it to ``growth`` if the schema lacks it. Throws if it can't be
  /// added.
  ///
  /// - Assumption: a share in production without its type is refused as every unknown type is ([share-create-8]).
  mutating func admit(_ type: String) throws(ServiceError) {
    if schema.types[type] != nil || growth.types[type] != nil { return }
    guard environment == .development else {
      throw .schema("Cannot create new type \(type) in production schema", hint: ServiceError.deployHint)
    }
    growth.types[type] = [:]
  }

  /// The value as its field stores it. Call ``admit(_:)`` for the type first. Throws if the value does not fit.
  mutating func fit(
    _ value: FieldValue, key: String, type: String, isEncrypted: Bool = false
  ) throws(ServiceError) -> FieldValue {
    let found = SchemaFieldType(of: value, isEncrypted: isEncrypted)
    if let declared = schema.types[type]?.fields[key]?.type ?? growth.types[type]?[key] ?? template(type)[key]?.type {
      return try fit(value, found, to: declared, key, type)
    }
    guard environment == .development else {
      throw .schema(
        "Cannot create or modify field '\(key)' in record '\(type)' in production schema", hint: ServiceError.deployHint
      )
    }
    guard let found else {
      throw .schema(
        "cannot use an empty list to initialize a new field (field '\(key)' in record type '\(type)' should be more "
          + "precise)")
    }
    let count = (schema.types[type]?.fields ?? template(type)).count + (growth.types[type]?.count ?? 0)
    guard count < Schema.maximumFields else {
      throw .schema("Cannot create field '\(key)' in record '\(type)': \(ServiceError.fieldLimit)")
    }
    growth.types[type, default: [:]][key] = found
    return value
  }

  /// The fields of a type that its first record creates.
  private func template(_ type: String) -> [String: SchemaField] {
    type == Record.shareType ? SchemaRecordType.share.fields : [:]
  }

  private func fit(
    _ value: FieldValue, _ found: SchemaFieldType?, to declared: SchemaFieldType, _ key: String, _ type: String
  ) throws(ServiceError) -> FieldValue {
    if found == declared { return value }
    // An empty list fits any list field.
    if found == nil, declared.isList { return .list(declared.element.valueType, []) }
    if let found, found.isList == declared.isList, found.isEncrypted == declared.isEncrypted,
      let value = number(value, as: declared.element)
    {
      return value
    }
    if found?.isEncrypted == true, !declared.isEncrypted {
      throw .schema(
        "Attempt to save encrypted data in non encrypted field type (field '\(key)' in record type '\(type)')")
    }
    throw .schema(
      "invalid attempt to set value type \(found?.serverName ?? "UNKNOWN_LIST") for field '\(key)' for type "
        + "'\(type)', defined to be: \(declared.serverName)")
  }

  private func number(_ value: FieldValue, as element: SchemaFieldType.Element) -> FieldValue? {
    switch (element, value) {
    case (.double, .int64(let integer)): return .double(Double(integer))
    case (.double, .list(.int64, let elements)):
      return .list(.double, elements.compactMap { number($0, as: element) })
    case (.number, .int64), (.number, .double), (.number, .list(.int64, _)), (.number, .list(.double, _)): return value
    default: return nil
    }
  }
}

extension ServiceError {
  /// Text for people ([schema-growth-8]).
  static var fieldLimit: String { "a record type has at most \(Schema.maximumFields) fields" }

  /// This error for the environment. Production accepts no import of a schema: there a hint to import becomes a hint to
  /// deploy from development.
  func naming(deploymentIn environment: CloudEnvironment) -> ServiceError {
    guard environment == .production, let hint, hint.contains("schema import") else { return self }
    var error = self
    // Other hints describe something that development lacks, too.
    let isGeneral = hint.hasPrefix("`localcloud schema export` shows")
    error.hint = isGeneral ? Self.deployHint : hint + " In development, that is; then `localcloud schema deploy`."
    return error
  }

  /// Advice for types, fields and indexes that production lacks.
  static let deployHint =
    "`localcloud schema diff` shows what production lacks, `localcloud schema deploy` copies it from development."
}
