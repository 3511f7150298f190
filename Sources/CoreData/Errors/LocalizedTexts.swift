/// The texts of a model's dictionary, in which errors tell what is wrong.
///
/// Its keys are `Entity/<name>`, `Property/<name>/Entity/<name>`, `Property/<name>` and `ErrorString/<text>`.
struct LocalizedTexts {
  private let texts: [String: String]

  /// The texts of an entity's model.
  init(_ entity: NSEntityDescription?) { texts = entity?.model?.localizationDictionary ?? [:] }

  /// The name of a property for people: the one that it has in its entity, else the one that it has in any.
  func name(of property: NSPropertyDescription, in entity: NSEntityDescription?) -> String {
    if texts.isEmpty { return property.name }
    for entity in entity?.line ?? [] {
      if let text = texts["Property/\(property.name)/Entity/\(entity.name ?? "")"] { return text }
    }
    return texts["Property/\(property.name)"] ?? property.name
  }

  /// A text of the program's for an error.
  func error(_ text: String) -> String { texts["ErrorString/\(text)"] ?? text }
}
