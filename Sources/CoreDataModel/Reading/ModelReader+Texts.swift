/// The attributes that elements of a model file may have; some have no meaning here.
enum ModelFileNames {
  static let model: Set<String> = [
    "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "sourceLanguage",
    "userDefinedModelVersionIdentifier", "usedWithCloudKit", "usedWithSwiftData", "name", "macOSVersion", "iOSVersion",
  ]
  static let entity: Set<String> = [
    "name", "representedClassName", "parentEntity", "isAbstract", "codeGenerationType", "syncable", "elementID",
    "renamingIdentifier", "versionHashModifier", "coreSpotlightDisplayNameExpression",
  ]
  private static let property: Set<String> = [
    "name", "optional", "transient", "indexed", "syncable", "spotlightIndexingEnabled", "storedInTruthFile",
    "renamingIdentifier", "elementID", "versionHashModifier",
  ]
  static let attribute: Set<String> = property.union([
    "attributeType", "defaultValueString", "defaultDateTimeInterval", "usesScalarValueType", "minValueString",
    "maxValueString", "regularExpressionString", "minDateTimeInterval", "maxDateTimeInterval", "derived",
    "derivationExpression", "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage",
    "allowsCloudEncryption", "preserveAfterDeletion",
  ])
  static let relationship: Set<String> = property.union([
    "toMany", "ordered", "minCount", "maxCount", "deletionRule", "destinationEntity", "inverseName", "inverseEntity",
  ])
  static let fetchedProperty: Set<String> = property
  static let configuration: Set<String> = ["name", "usedWithCloudKit"]
  static let fetchRequestFlags = [
    "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
    "returnDistinctResults",
  ]
  static let fetchRequest: Set<String> = Set(fetchRequestFlags).union([
    "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
  ])
}

extension ModelReader {
  /// Warns of attributes that are not known.
  mutating func expectKnown(_ element: XMLElement, _ names: Set<String>) {
    for attribute in element.attributes where !names.contains(attribute.name) {
      report(.warning, "<\(element.name)> has an unknown attribute \(attribute.name)", at: attribute.offset)
    }
  }

  /// Warns of an element that is not known.
  mutating func skip(_ element: XMLElement, in parent: XMLElement) {
    report(.warning, "<\(parent.name)> has an unknown element <\(element.name)>", at: element.offset)
  }

  /// The value of an attribute; nil if there is none, or an empty one.
  func text(_ element: XMLElement, _ name: String) -> String? {
    guard let text = element[name], !text.isEmpty else { return nil }
    return text
  }

  /// Both spellings are found in properties.
  func renamingIdentifier(_ element: XMLElement) -> String? {
    text(element, "renamingIdentifier") ?? text(element, "elementID")
  }

  /// The name of an entity or property. It must be a name in Swift as well.
  mutating func name(_ element: XMLElement) -> String? {
    guard let name = text(element, "name") else {
      fail("<\(element.name)> has no name", at: element)
      return nil
    }
    guard SwiftName.isIdentifier(name) else {
      fail("\(XMLReader.quoted(name)) is no name: letters, digits and _ are allowed, and no digit first", at: element)
      return nil
    }
    return name
  }

  /// Xcode writes `YES`, its templates `true`.
  mutating func flag(_ element: XMLElement, _ name: String) -> Bool {
    switch element[name] {
    case nil, "NO"?, "false"?, ""?: return false
    case "YES"?, "true"?: return true
    case let text?:
      fail("\(name) is \(XMLReader.quoted(text)); it must be YES or NO", at: element)
      return false
    }
  }

  /// A whole number from 0; 0 if there is none.
  mutating func count(_ element: XMLElement, _ name: String) -> Int {
    guard let text = text(element, name) else { return 0 }
    if let count = Int(text), count >= 0 { return count }
    fail("\(name) is \(XMLReader.quoted(text)); it must be a number from 0", at: element)
    return 0
  }

  mutating func interval(_ element: XMLElement, _ name: String) -> Double? {
    guard let text = text(element, name) else { return nil }
    if let interval = Double(text), interval.isFinite { return interval }
    fail("\(name) is \(XMLReader.quoted(text)); it must be a number of seconds", at: element)
    return nil
  }

  mutating func readUserInfo(_ element: XMLElement) -> [String: String] {
    var result: [String: String] = [:]
    for child in element.children {
      guard child.name == "entry" else {
        skip(child, in: element)
        continue
      }
      expectKnown(child, ["key", "value"])
      guard let key = child["key"] else {
        fail("<entry> has no key", at: child)
        continue
      }
      if result.updateValue(child["value"] ?? "", forKey: key) != nil {
        fail("the key \(XMLReader.quoted(key)) is there already", at: child)
      }
    }
    return result
  }
}
