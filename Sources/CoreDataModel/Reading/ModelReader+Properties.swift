extension ModelReader {
  // MARK: Attributes

  /// - Difference: composite attributes are refused.
  mutating func readAttribute(_ element: XMLElement, of entity: String) -> ModelAttribute? {
    expectKnown(element, ModelFileNames.attribute)
    guard let name = propertyName(element, of: entity) else { return nil }
    let word = text(element, "attributeType") ?? ModelAttributeType.undefined.fileName
    guard let type = ModelAttributeType(fileName: word), type != .objectID else {
      fail("\(entity).\(name) has an unknown type \(XMLReader.quoted(word))", at: element)
      return nil
    }
    guard type != .composite else {
      fail("\(entity).\(name) is composite; composite attributes are not supported", at: element)
      return nil
    }
    var attribute = ModelAttribute(name: name, type: type)
    attribute.isOptional = flag(element, "optional")
    attribute.isTransient = flag(element, "transient")
    // An empty string is a default like any other.
    attribute.defaultValue = type == .string ? element["defaultValueString"] : text(element, "defaultValueString")
    attribute.defaultDateInterval = interval(element, "defaultDateTimeInterval")
    attribute.usesScalarValue = flag(element, "usesScalarValueType")
    attribute.minValue = text(element, "minValueString")
    attribute.maxValue = text(element, "maxValueString")
    attribute.minDateInterval = interval(element, "minDateTimeInterval")
    attribute.maxDateInterval = interval(element, "maxDateTimeInterval")
    attribute.regularExpression = text(element, "regularExpressionString")
    attribute.valueTransformerName = text(element, "valueTransformerName")
    // A point before the name stands for the model's own module, or none.
    attribute.customClassName = text(element, "customClassName").map { String($0.drop { $0 == "." }) }
    attribute.allowsExternalBinaryDataStorage = flag(element, "allowsExternalBinaryDataStorage")
    attribute.allowsCloudEncryption = flag(element, "allowsCloudEncryption")
    attribute.preservesValueInHistoryOnDeletion = flag(element, "preserveAfterDeletion")
    if type == .undefined, !attribute.isTransient {
      fail("\(entity).\(name) has no type; only a transient attribute can do without", at: element)
    }
    readRest(element, &attribute.renamingIdentifier, &attribute.versionHashModifier, &attribute.userInfo)
    readDerivation(element, &attribute, of: entity)
    for problem in ModelValueCheck.problems(of: attribute) { fail("\(entity).\(name): \(problem)", at: element) }
    for problem in ModelValueCheck.warnings(of: attribute) { warn("\(entity).\(name): \(problem)", at: element) }
    return attribute
  }

  private mutating func readDerivation(_ element: XMLElement, _ attribute: inout ModelAttribute, of entity: String) {
    guard flag(element, "derived") else { return }
    attribute.derivationExpression = text(element, "derivationExpression")
    guard attribute.derivationExpression == nil else { return }
    fail("\(entity).\(attribute.name) is derived and has no expression", at: element)
  }

  /// A property's name; a second property of that name is an error.
  private mutating func propertyName(_ element: XMLElement, of entity: String) -> String? {
    guard let name = name(element) else { return nil }
    register(.property(name, of: entity), "a property \(entity).\(name)", at: element)
    if SwiftName.isMethodOfManagedObject(name) {
      fail("a property can't be called \(name): NSManagedObject has a property or method of that name", at: element)
    }
    return name
  }

  private mutating func readRest(
    _ element: XMLElement, _ renaming: inout String?, _ modifier: inout String?, _ userInfo: inout [String: String]
  ) {
    renaming = renamingIdentifier(element)
    modifier = text(element, "versionHashModifier")
    for child in element.children {
      switch child.name {
      case "userInfo": userInfo = readUserInfo(child)
      case "fetchRequest" where element.name == "fetchedProperty": break
      default: skip(child, in: element)
      }
    }
  }

  // MARK: Relationships

  /// - Assumption: a relationship without a deletion rule nullifies.
  mutating func readRelationship(_ element: XMLElement, of entity: String) -> ModelRelationship? {
    expectKnown(element, ModelFileNames.relationship)
    guard let name = propertyName(element, of: entity) else { return nil }
    guard let destination = text(element, "destinationEntity") else {
      fail("\(entity).\(name) has no destination", at: element)
      return nil
    }
    var relationship = ModelRelationship(name: name, destination: destination)
    relationship.isOptional = flag(element, "optional")
    relationship.isTransient = flag(element, "transient")
    relationship.isToMany = flag(element, "toMany")
    relationship.isOrdered = flag(element, "ordered")
    if relationship.isOrdered, !relationship.isToMany {
      fail("\(entity).\(name) leads to one object and can't be ordered", at: element)
    }
    relationship.minCount = count(element, "minCount")
    let maxCount = count(element, "maxCount")
    relationship.maxCount = relationship.isToMany ? maxCount : 1
    if !relationship.isToMany, maxCount > 1 {
      warn("\(entity).\(name) leads to one object; its greatest count \(maxCount) has no meaning", at: element)
    }
    if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
      fail("\(entity).\(name) has a least count above its greatest", at: element)
    }
    if let word = text(element, "deletionRule") {
      if let rule = ModelRelationship.DeleteRule(fileName: word) {
        relationship.deleteRule = rule
      } else {
        fail("\(entity).\(name) has an unknown deletion rule \(XMLReader.quoted(word))", at: element)
      }
    }
    switch (text(element, "inverseName"), text(element, "inverseEntity")) {
    case (let name?, let entity?): relationship.inverse = ModelRelationship.Inverse(name: name, entity: entity)
    case (nil, nil): break
    default: fail("\(entity).\(name) has half an inverse: inverseName and inverseEntity belong together", at: element)
    }
    readRest(element, &relationship.renamingIdentifier, &relationship.versionHashModifier, &relationship.userInfo)
    return relationship
  }

  // MARK: Fetch requests

  mutating func readTemplate(_ element: XMLElement) {
    guard let request = readFetchRequest(element) else { return }
    register(.fetchRequest(request.name), "a fetch request \(request.name)", at: element)
    model.fetchRequests.append(request)
  }

  mutating func readFetchedProperty(_ element: XMLElement, of entity: String) -> ModelFetchedProperty? {
    expectKnown(element, ModelFileNames.fetchedProperty)
    guard let name = propertyName(element, of: entity) else { return nil }
    let requests = element.children.filter { $0.name == "fetchRequest" }
    guard requests.count == 1 else {
      fail("\(entity).\(name) has \(requests.count) fetch requests; a fetched property has one", at: element)
      return nil
    }
    guard let request = readFetchRequest(requests[0]) else { return nil }
    var property = ModelFetchedProperty(name: name, fetchRequest: request)
    property.isOptional = flag(element, "optional")
    readRest(element, &property.renamingIdentifier, &property.versionHashModifier, &property.userInfo)
    return property
  }

  /// - Assumption: a flag that is absent is NO; if there is none at all, subentities and property values are included.
  private mutating func readFetchRequest(_ element: XMLElement) -> ModelFetchRequest? {
    expectKnown(element, ModelFileNames.fetchRequest)
    guard let name = text(element, "name"), let entity = text(element, "entity") else {
      fail("<fetchRequest> must have a name and an entity", at: element)
      return nil
    }
    var request = ModelFetchRequest(name: name, entity: entity)
    request.predicate = text(element, "predicateString")
    request.fetchLimit = count(element, "fetchLimit")
    request.fetchBatchSize = count(element, "fetchBatchSize")
    let type = count(element, "resultType")
    if let known = ModelFetchRequest.ResultType(rawValue: UInt(type)) {
      request.resultType = known
    } else {
      fail("the fetch request \(name) has an unknown result type \(type)", at: element)
    }
    if ModelFileNames.fetchRequestFlags.contains(where: { element[$0] != nil }) {
      request.includesSubentities = flag(element, "includeSubentities")
      request.includesPropertyValues = flag(element, "includePropertyValues")
    }
    request.includesPendingChanges = flag(element, "includesPendingChanges")
    request.returnsObjectsAsFaults = flag(element, "returnObjectsAsFaults")
    request.returnsDistinctResults = flag(element, "returnDistinctResults")
    return request
  }
}
