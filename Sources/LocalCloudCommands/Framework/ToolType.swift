/// A type of cktool's field values, for example `encryptedInt64ListType` ([schema-tool-2]).
struct ToolType {
  var element: FieldType
  var isList = false
  var isEncrypted = false

  var name: String {
    let word = isEncrypted ? "encrypted" + element.word.prefix(1).uppercased() + element.word.dropFirst() : element.word
    return word + (isList ? "List" : "") + "Type"
  }

  init(_ element: FieldType, isList: Bool = false, isEncrypted: Bool = false) {
    (self.element, self.isList, self.isEncrypted) = (element, isList, isEncrypted)
  }

  /// Parses a type's name; nil if no type has it.
  init?(name: String) {
    guard name.hasSuffix("Type") else { return nil }
    var base = String(name.dropLast("Type".count))
    isEncrypted = base.hasPrefix("encrypted")
    if isEncrypted { base = String(base.dropFirst("encrypted".count)) }
    isList = base.hasSuffix("List")
    if isList { base = String(base.dropLast("List".count)) }
    let isSpelled = isEncrypted ? base.first?.isUppercase == true : base.first?.isLowercase == true
    guard isSpelled, let type = FieldType(word: base.lowercased()), !isEncrypted || type.canBeEncrypted else {
      return nil
    }
    element = type
  }

  static func nearest(to name: String) -> String? {
    let types = FieldType.written.map { ToolType($0) } + FieldType.written.map { ToolType($0, isList: true) }
    return WordSuggestion.nearest(to: name, among: types.map(\.name))
  }
}
