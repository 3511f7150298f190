import LocalCloudModel

/// Parses schema text ([schema-text-3]). One pass without recursion: every text gives a schema or one error.
struct SchemaParser {
  static let keywords: Set<String> = [
    "DEFINE", "SCHEMA", "CREATE", "ROLE", "RECORD", "TYPE", "GRANT", "READ", "WRITE", "TO", "QUERYABLE", "SORTABLE",
    "SEARCHABLE", "LIST", "ENCRYPTED", "NUMBER", "PREFERRED", "AS", "ASSET", "REFERENCE", "BYTES", "STRING", "DOUBLE",
    "INT64", "LOCATION", "TIMESTAMP",
  ]
  /// Names that need quotes.
  static let reserved: Set<String> = ["GRANT", "PREFERRED", "QUERYABLE", "SEARCHABLE", "SORTABLE"]

  private var lexer: SchemaLexer
  private var token: SchemaToken
  private var schema = Schema()
  /// The roles in grants. They are checked when all roles are known.
  private var grantees: [SchemaToken] = []

  private init(_ text: String) throws(SchemaTextError) {
    lexer = SchemaLexer(text)
    token = try lexer.next()
  }

  /// The schema that the text declares, without the types that CloudKit adds.
  static func schema(_ text: String) throws(SchemaTextError) -> Schema {
    var parser = try SchemaParser(text)
    try parser.parse()
    return parser.schema
  }

  private mutating func parse() throws(SchemaTextError) {
    try keyword("DEFINE")
    try keyword("SCHEMA")
    while token.kind != .end {
      if token.isKeyword("CREATE") {
        try role()
      } else if token.isKeyword("RECORD") {
        try type()
      } else {
        throw SchemaTextError(token, expected: ["\"CREATE\"", "\"RECORD\"", "<EOF>"])
      }
      try sign(";")
    }
    for role in grantees where !Schema.builtInRoles.contains(role.text) && !schema.roles.contains(role.text) {
      throw SchemaTextError(role, "There is no role '\(role.text)'; CREATE ROLE makes one.")
    }
  }

  private mutating func role() throws(SchemaTextError) {
    try keyword("CREATE")
    try keyword("ROLE")
    let name = try name()
    guard NameRules.isIdentifier(name.text), name.text.utf8.count <= NameRules.maximumLength else {
      throw SchemaTextError(name, "'\(name.text)' is no name for a role: a letter first, then letters, digits and '_'")
    }
    guard schema.roles.insert(name.text).inserted else {
      throw SchemaTextError(name, "The role '\(name.text)' is created twice")
    }
  }

  private mutating func type() throws(SchemaTextError) {
    try keyword("RECORD")
    try keyword("TYPE")
    let name = try name()
    guard NameRules.isIdentifier(name.text) || name.text == Record.shareType,
      name.text.utf8.count <= NameRules.maximumLength
    else {
      throw SchemaTextError(name, "'\(name.text)' is no record type: a letter first, then letters, digits and '_'")
    }
    guard schema.types[name.text] == nil else {
      throw SchemaTextError(name, "The record type '\(name.text)' is defined twice")
    }
    var type = SchemaRecordType()
    var systemFields: Set<String> = []
    try sign("(")
    while true {
      if token.isKeyword("GRANT") {
        try grant(&type)
      } else {
        try field(&type, of: name.text, &systemFields)
      }
      guard token.kind == .sign, token.text == "," else { break }
      try advance()
    }
    try sign(")")
    schema.types[name.text] = type
  }

  private mutating func field(
    _ type: inout SchemaRecordType, of typeName: String, _ systemFields: inout Set<String>
  ) throws(SchemaTextError) {
    guard token.kind == .quoted || (token.kind == .word && !Self.reserved.contains(token.text.uppercased())) else {
      throw SchemaTextError(token, expected: ["\"GRANT\"", "<IDENTIFIER>", "<QUOTED_IDENTIFIER>"])
    }
    let name = try name()
    let start = token
    let fieldType = try dataType()
    var indexes: SchemaField.Indexes = []
    while let (index, keyword) = SchemaField.Indexes.names.first(where: { token.isKeyword($0.keyword) }) {
      guard fieldType.allowedIndexes.contains(index) else {
        throw SchemaTextError(token, "The field '\(name.text)' of type \(fieldType.text) can't be \(keyword)")
      }
      indexes.insert(index)
      try advance()
    }
    let isSystem = name.text.hasPrefix("_")
    if isSystem {
      guard let fixed = SchemaRecordType.systemFields[name.text] else {
        throw SchemaTextError(name, "There is no system field '\(name.text)'")
      }
      guard fixed == fieldType else {
        throw SchemaTextError(start, "The system field '\(name.text)' has the type \(fixed.text)")
      }
    } else {
      do { try NameRules.check(key: name.text, type: typeName) } catch {
        throw SchemaTextError(name, error.message)
      }
    }
    guard isSystem ? systemFields.insert(name.text).inserted : type.fields[name.text] == nil else {
      throw SchemaTextError(name, "The field '\(name.text)' of the record type '\(typeName)' is defined twice")
    }
    if isSystem {
      if !indexes.isEmpty { type.systemIndexes[name.text] = indexes }
    } else {
      type.fields[name.text] = SchemaField(fieldType, indexes)
    }
  }

  // MARK: Types

  private static let elements: [SchemaFieldType.Element] = [
    .asset, .bytes, .double, .int64, .location, .reference, .string, .timestamp,
  ]
  private static let expectedTypes =
    ["\"LIST\"", "\"ENCRYPTED\"", "\"NUMBER\""] + elements.map { "\"\($0.keyword)\"" }

  private mutating func dataType() throws(SchemaTextError) -> SchemaFieldType {
    guard token.isKeyword("LIST") else { return try primitive(Self.expectedTypes) }
    try advance()
    try sign("<")
    var type = try primitive(Array(Self.expectedTypes.dropFirst()))
    type.isList = true
    try sign(">")
    return type
  }

  private mutating func primitive(_ expected: [String]) throws(SchemaTextError) -> SchemaFieldType {
    if token.isKeyword("NUMBER") {
      try advance()
      guard token.isKeyword("PREFERRED") else { return SchemaFieldType(.number(preferred: nil)) }
      try advance()
      try keyword("AS")
      guard let preferred = SchemaFieldType.Element.Preferred.allCases.first(where: { token.isKeyword($0.rawValue) })
      else {
        throw SchemaTextError(token, expected: ["\"INT64\"", "\"DOUBLE\""])
      }
      try advance()
      return SchemaFieldType(.number(preferred: preferred))
    }
    let isEncrypted = token.isKeyword("ENCRYPTED")
    if isEncrypted { try advance() }
    let allowed = Self.elements.filter { !isEncrypted || $0.canBeEncrypted }
    guard let element = allowed.first(where: { token.isKeyword($0.keyword) }) else {
      throw SchemaTextError(token, expected: isEncrypted ? allowed.map { "\"\($0.keyword)\"" } : expected)
    }
    try advance()
    return SchemaFieldType(element, isEncrypted: isEncrypted)
  }

  private mutating func grant(_ type: inout SchemaRecordType) throws(SchemaTextError) {
    try keyword("GRANT")
    var permissions: Set<SchemaRecordType.Permission> = []
    while true {
      guard let permission = SchemaRecordType.Permission.allCases.first(where: { token.isKeyword($0.rawValue) }) else {
        throw SchemaTextError(token, expected: SchemaRecordType.Permission.allCases.map { "\"\($0.rawValue)\"" })
      }
      permissions.insert(permission)
      try advance()
      guard token.kind == .sign, token.text == "," else { break }
      try advance()
    }
    try keyword("TO")
    let role = try name()
    grantees.append(role)
    type.grants[role.text, default: []].formUnion(permissions)
  }

  // MARK: Tokens

  private mutating func advance() throws(SchemaTextError) { token = try lexer.next() }

  private mutating func keyword(_ keyword: String) throws(SchemaTextError) {
    guard token.isKeyword(keyword) else { throw SchemaTextError(token, expected: ["\"\(keyword)\""]) }
    try advance()
  }

  private mutating func sign(_ sign: String) throws(SchemaTextError) {
    guard token.kind == .sign, token.text == sign else { throw SchemaTextError(token, expected: ["\"\(sign)\""]) }
    try advance()
  }

  private mutating func name() throws(SchemaTextError) -> SchemaToken {
    guard token.kind == .word || token.kind == .quoted else {
      throw SchemaTextError(token, expected: ["<IDENTIFIER>", "<QUOTED_IDENTIFIER>"])
    }
    let name = token
    try advance()
    return name
  }
}

extension Schema {
  /// Parses schema text, and adds the type `Users` if the text lacks it.
  package init(text: String) throws(SchemaTextError) {
    self = try SchemaParser.schema(text)
    addMissingSystemTypes()
  }
}
