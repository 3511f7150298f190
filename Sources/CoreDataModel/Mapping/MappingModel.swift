/// A mapping model as its file describes it: names are not resolved to entities or properties.
package struct MappingModel: Sendable, Hashable {
  /// The path of the `.xcdatamodel` folder of the version that objects are migrated from, as Xcode wrote it.
  package var sourcePath: String
  /// The path of the `.xcdatamodel` folder of the version that objects are migrated to, as Xcode wrote it.
  package var destinationPath: String
  /// In the order of their numbers: that of the migration.
  package var entities: [MappedEntity] = []

  package init(sourcePath: String, destinationPath: String) {
    self.sourcePath = sourcePath
    self.destinationPath = destinationPath
  }
}

/// How the objects of one entity become objects of another one.
package struct MappedEntity: Sendable, Hashable {
  /// The kinds of entity mappings. The raw values are those of Apple's `NSEntityMappingType`.
  package enum Kind: UInt, Sendable, Hashable, CaseIterable {
    case undefined = 0
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5

    /// The name in a file.
    package var fileName: String {
      switch self {
      case .undefined: "Undefined"
      case .custom: "Custom"
      case .add: "Add"
      case .remove: "Remove"
      case .copy: "Copy"
      case .transform: "Transform"
      }
    }
  }

  package var name: String
  package var kind = Kind.undefined
  /// Nil for an entity that is new.
  package var source: String?
  /// Nil for an entity that is removed.
  package var destination: String?
  /// The class of the migration policy; nil for the default policy.
  package var policyClassName: String?
  package var userInfo: [String: MappedValue] = [:]
  package var attributes: [MappedProperty] = []
  package var relationships: [MappedProperty] = []

  /// The name of a mapping without one in its file: `SourceToDestination`, or the only entity's name.
  static func defaultName(_ source: String?, _ destination: String?) -> String {
    if let source, let destination { return "\(source)To\(destination)" }
    return destination ?? source ?? ""
  }
}

/// How a property of the destination gets its value.
package struct MappedProperty: Sendable, Hashable {
  package var name: String
  /// Nil if the file has no expression.
  package var expression: MappedExpression?
  /// Whether a property without an expression gets the value of the source's property of that name.
  package var isGenerated = true
  package var userInfo: [String: MappedValue] = [:]

  package init(name: String) { self.name = name }
}

/// An expression of a mapping model. Names of functions and methods are not looked up.
package indirect enum MappedExpression: Sendable, Hashable {
  case constant(MappedValue)
  case subject
  case variable(String)
  case keyPath(MappedExpression, [String])
  case list([MappedExpression])
  /// A function of the predicate language, by its selector.
  case function(String, [MappedExpression])
  /// A method of an object, by its selector.
  case method(MappedExpression, String, [MappedExpression])
}

/// A constant of a mapping model.
package indirect enum MappedValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 2001.
  case date(Double)
  case data([UInt8])
  case string(String)
  case list([MappedValue])
  case dictionary([String: MappedValue])
}
