/// Names of a model as names in Swift.
enum SwiftName {
  /// Whether a text can be a name; keywords can, in backticks.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text != "_" else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && text.unicodeScalars.dropFirst().allSatisfy(\.properties.isXIDContinue)
  }

  /// A name in the position of a declaration or a member.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A relationship's name within the names of its accessors.
  static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Whether a property would hide one that NSManagedObject or NSObject has, or a method without parameters.
  static func isMethodOfManagedObject(_ name: String) -> Bool { reserved.contains(name) }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  private static let reserved: Set<String> = [
    "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "copy", "dealloc", "debugDescription",
    "description", "didSave", "didTurnIntoFault", "entity", "faultingState", "finalize", "hasChanges",
    "hasPersistentChangedValues", "hash", "hashValue", "init", "isDeleted", "isFault", "isInserted", "isProxy",
    "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "observationInfo", "prepareForDeletion", "release",
    "retain", "retainCount", "self", "superclass", "willSave", "willTurnIntoFault", "zone",
  ]
}
