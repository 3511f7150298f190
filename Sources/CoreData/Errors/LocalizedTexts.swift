/// The texts of a model's localization dictionary, for the messages of errors.
///
/// Its keys are `Entity/<name>`, `Property/<name>/Entity/<name>`, `Property/<name>` and `ErrorString/<text>`.
struct LocalizedTexts {
  private let texts: [String: String]

  /// The texts of an entity's model.
  init(_ entity: NSEntityDescription?) { texts = entity?.model?.localizationDictionary ?? [:] }

  /// The name of a property for people: the text for its entity if there is one, otherwise the text for all entities.
  func name(of property: NSPropertyDescription, in entity: NSEntityDescription?) -> String {
    if texts.isEmpty { return property.name }
    for entity in entity?.line ?? [] {
      if let text = texts["Property/\(property.name)/Entity/\(entity.name ?? "")"] { return text }
    }
    return texts["Property/\(property.name)"] ?? property.name
  }

  /// The localized form of a program's text for an error.
  func error(_ text: String) -> String { texts["ErrorString/\(text)"] ?? text }
}
