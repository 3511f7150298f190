/// An entity with the properties that it declares itself; those of its parents are not among them.
package struct ModelEntity: Sendable, Hashable {
  /// The source files that the build writes for the entity's class.
  package enum CodeGeneration: String, Sendable, Hashable {
    /// None: the app has class and properties.
    case manual
    /// The class and an extension with its properties.
    case `class`
    /// The extension only: the app has the class.
    case category
  }

  package var name: String
  /// The class as the file names it; see ``ModelClassName``. Nil if the file names none.
  package var representedClassName: String?
  package var parent: String?
  package var isAbstract = false
  package var codeGeneration = CodeGeneration.manual
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var attributes: [ModelAttribute] = []
  package var relationships: [ModelRelationship] = []
  package var fetchedProperties: [ModelFetchedProperty] = []
  package var fetchIndexes: [ModelFetchIndex] = []
  /// The uniqueness constraints: each is a list of attribute names, and the combination of their values must be unique.
  package var uniquenessConstraints: [[String]] = []
  package var userInfo: [String: String] = [:]

  package init(name: String) { self.name = name }

  /// The class of the entity's objects; nil if it is `NSManagedObject` itself.
  package var className: ModelClassName? { representedClassName.flatMap(ModelClassName.init) }
}

/// The name of an entity's class, as a model file gives it.
package struct ModelClassName: Sendable, Hashable {
  /// The module that the file names: `Other` in `Other.Foo`. Nil for `Foo` and for `.Foo`, the class of the module that
  /// holds the model.
  package var module: String?
  package var name: String

  /// Nil for an empty name and for `NSManagedObject`.
  package init?(_ text: String) {
    guard let dot = text.lastIndex(of: ".") else {
      guard !text.isEmpty, text != "NSManagedObject" else { return nil }
      name = text
      return
    }
    name = String(text[text.index(after: dot)...])
    guard !name.isEmpty else { return nil }
    if dot != text.startIndex { module = String(text[..<dot]) }
    if module == "CoreData", name == "NSManagedObject" { return nil }
  }

  /// The name for finding the class at run time, for a model in `module`.
  ///
  /// - Difference: the class `Foo` is the class of the model's module, as `.Foo` is. For Apple it is the class with
  ///   that Objective-C name, in any module; classes have no Objective-C names here.
  package func runtimeName(in module: String) -> String { "\(self.module ?? module).\(name)" }
}

/// An index that makes fetches faster and changes no result.
package struct ModelFetchIndex: Sendable, Hashable {
  /// One value of an index: a property's, or the result of an expression.
  package struct Element: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
      case property(String)
      case expression(String, type: ModelAttributeType)
    }

    /// The raw values are those of Apple's `NSFetchIndexElementType`.
    package enum Collation: UInt, Sendable, Hashable {
      case binary = 0
      case rTree = 1
    }

    package var subject: Subject
    package var collation = Collation.binary
    package var isAscending = true

    package init(_ subject: Subject) { self.subject = subject }
  }

  package var name: String
  package var elements: [Element] = []

  package init(name: String) { self.name = name }
}
