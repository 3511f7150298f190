extension ModelReader {
  mutating func readIndex(_ element: XMLElement) -> ModelFetchIndex? {
    expectKnown(element, ["name"])
    guard let name = text(element, "name") else {
      fail("<fetchIndex> has no name", at: element)
      return nil
    }
    var index = ModelFetchIndex(name: name)
    for child in element.children {
      guard child.name == "fetchIndexElement" else {
        skip(child, in: element)
        continue
      }
      if let part = readIndexElement(child, of: name) { index.elements.append(part) }
    }
    return index
  }

  private mutating func readIndexElement(_ element: XMLElement, of index: String) -> ModelFetchIndex.Element? {
    expectKnown(element, ["property", "expression", "expressionType", "type", "order"])
    let subject: ModelFetchIndex.Element.Subject
    if let expression = text(element, "expression") {
      let word = text(element, "expressionType") ?? ModelAttributeType.undefined.fileName
      guard let type = ModelAttributeType(fileName: word) else {
        fail("the index \(index) has an expression of unknown type \(XMLReader.quoted(word))", at: element)
        return nil
      }
      subject = .expression(expression, type: type)
    } else if let property = text(element, "property") {
      subject = .property(property)
    } else {
      fail("the index \(index) has an element without property or expression", at: element)
      return nil
    }
    var part = ModelFetchIndex.Element(subject)
    switch text(element, "type") {
    case nil, "Binary"?: break
    case "RTree"?: part.collation = .rTree
    case let word?: fail("the index \(index) has an unknown type \(XMLReader.quoted(word))", at: element)
    }
    switch text(element, "order") {
    case nil, "ascending"?: break
    case "descending"?: part.isAscending = false
    case let word?: fail("the index \(index) has an unknown order \(XMLReader.quoted(word))", at: element)
    }
    return part
  }

  mutating func readConstraints(_ element: XMLElement) -> [[String]] {
    var constraints: [[String]] = []
    for child in element.children {
      guard child.name == "uniquenessConstraint" else {
        skip(child, in: element)
        continue
      }
      var names: [String] = []
      for part in child.children {
        guard part.name == "constraint" else {
          skip(part, in: child)
          continue
        }
        expectKnown(part, ["value"])
        if let name = text(part, "value") { names.append(name) } else { fail("<constraint> has no value", at: part) }
      }
      if names.isEmpty { fail("a uniqueness constraint names no attribute", at: child) }
      constraints.append(names)
    }
    return constraints
  }
}
