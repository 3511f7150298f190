/// Checks that the texts of an attribute are values of its type. Later there is no one to correct the model.
enum ModelValueCheck {
  /// Warnings for texts without a meaning for the attribute's type. Without a warning they would be dropped silently.
  static func warnings(of attribute: ModelAttribute) -> [String] {
    var warnings: [String] = []
    if attribute.defaultValue != nil, [.date, .binaryData, .transformable, .undefined].contains(attribute.type) {
      warnings.append("the default text has no meaning for type \(attribute.type.fileName)")
    }
    if let text = attribute.defaultValue, let reading = DefaultText.reading(text, of: attribute.type), !reading.isWhole
    {
      warnings.append(
        "the default \(XMLReader.quoted(text)) is no value of type \(attribute.type.fileName), and read as \(reading.text)"
      )
    }
    if attribute.defaultDateInterval != nil, attribute.type != .date {
      warnings.append("the default date has no meaning for type \(attribute.type.fileName)")
    }
    return warnings
  }

  static func problems(of attribute: ModelAttribute) -> [String] {
    var problems: [String] = []
    if let value = attribute.defaultValue, !isDefault(value, of: attribute.type) {
      problems.append("the default \(XMLReader.quoted(value)) is no value of type \(attribute.type.fileName)")
    }
    for bound in [attribute.minValue, attribute.maxValue].compactMap({ $0 }) {
      if attribute.type == .string, !isInteger(bound, UInt32.self) {
        problems.append("the bound \(XMLReader.quoted(bound)) is no length")
      }
      if isNumber(attribute.type), !isValue(bound, of: attribute.type) {
        problems.append("the bound \(XMLReader.quoted(bound)) is no number of type \(attribute.type.fileName)")
      }
    }
    if let least = attribute.minValue.flatMap(Double.init), let greatest = attribute.maxValue.flatMap(Double.init),
      least > greatest
    {
      problems.append("the least value is above the greatest")
    }
    if let earliest = attribute.minDateInterval, let latest = attribute.maxDateInterval, earliest > latest {
      problems.append("the earliest date is after the latest")
    }
    if let name = attribute.customClassName, !isTypeName(name) {
      problems.append("\(XMLReader.quoted(name)) is no name of a type")
    }
    return problems
  }

  private static func isNumber(_ type: ModelAttributeType) -> Bool {
    [.integer16, .integer32, .integer64, .decimal, .double, .float].contains(type)
  }

  private static func isDefault(_ text: String, of type: ModelAttributeType) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: DefaultText.reading(text, of: type) != nil
    default: isValue(text, of: type)
    }
  }

  private static func isValue(_ text: String, of type: ModelAttributeType) -> Bool {
    switch type {
    case .integer16: isInteger(text, Int16.self)
    case .integer32: isInteger(text, Int32.self)
    case .integer64: isInteger(text, Int64.self)
    case .double: DefaultText.isDecimal(text) && Double(text).map(\.isFinite) ?? false
    case .float: DefaultText.isDecimal(text) && Float(text).map(\.isFinite) ?? false
    // Less than a Decimal can hold, but its exact limit can't be checked here; further digits are rounded.
    case .decimal: DefaultText.isDecimal(text) && Double(text).map { abs($0) < 1e127 } ?? false
    case .uuid: isUUID(text)
    default: true
    }
  }

  /// Xcode stores a number as it was typed, for example `0.0` for a whole one.
  private static func isInteger<Integer: FixedWidthInteger>(_ text: String, _: Integer.Type) -> Bool {
    Integer(text) != nil || DefaultText.isDecimal(text) && Double(text).flatMap { Integer(exactly: $0) } != nil
  }

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  /// The characters of types like `UIColor`, `Module.Shape` and `[String: [Int]]`: no character that could end a
  /// declaration.
  private static func isTypeName(_ text: String) -> Bool {
    var depth = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "[", "<": depth += 1
      case "]", ">": depth -= 1
      case ":", ",", " ": if depth == 0 { return false }
      case ".", "?", "_": break
      default: if !scalar.properties.isXIDContinue { return false }
      }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
