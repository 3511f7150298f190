/// The results of scanning a file.
struct Declarations {
  var types: [TypeDeclaration] = []
  /// All attributes of the file, at any position.
  var attributes: [Attribute] = []
  /// The ranges of `dynamic` before a declaration.
  var dynamicModifiers: [Range<Int>] = []
  var expressions: [PoundExpression] = []
  /// Casts to classes of fetch requests.
  var casts: [FetchRequestCast] = []
  /// The conditions of the macros `#expect` and `#require` that have a cast of a fetch request in them.
  var castConditions: [Range<Int>] = []
  var imports: Set<String> = []
  /// The dots and names after the module's in imports of a submodule. Linux has no submodules.
  var submodules: [Range<Int>] = []
  /// Whether the file names a function or type that Foundation has on Apple's platforms, and module CoreData on Linux.
  var usesRuntime = false
  /// The offset at which the file is nested deeper than ``Brackets/maximumDepth``; then nothing of it was read.
  var tooDeep: Int?
}

/// `@name(argument)`.
struct Attribute {
  var name: String
  /// The text in the parentheses, if there are any; only known for a declaration's attributes.
  var argument: String?
  var argumentRange: Range<Int>?
  var range: Range<Int>
}

struct Modifier {
  /// Without its parenthesis: of `private(set)` it is `private`.
  var name: String
  var argument: String?
  var range: Range<Int>
}

/// A type or an extension of one.
struct TypeDeclaration {
  enum Kind: String {
    case `class`, `struct`, `enum`, `actor`, `protocol`, `extension`
  }

  var kind: Kind
  /// With the types around it: `["Outer", "Inner"]`. A type that is declared in a function begins anew.
  var path: [String]
  var attributes: [Attribute]
  var modifiers: [Modifier]
  /// The types after the colon, without arguments of generic types.
  var inherited: [String] = []
  var isGeneric = false
  /// Declared in a function. The rest of the file can't name it.
  var isLocal = false
  /// Whether the file's own scope can't name it: a private type in another one.
  var isHidden = false
  /// After its name and generic parameters.
  var nameEnd = 0
  /// The start of an inheritance clause: after the colon. Nil if there is none.
  var inheritanceStart: Int?
  /// The word `class` in a protocol's inheritance clause.
  var classConstraint: Range<Int>?
  /// Between its braces.
  var body = (start: 0, end: Int.max)
  var condition: Condition
  var members: [Member] = []
  /// The members of an extension that override others.
  var overrides: [ExtensionOverride] = []

  var name: String { path.joined(separator: ".") }

  func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// A property, method or initialiser in a type's braces.
struct Member {
  enum Kind {
    case variables([Variable], isConstant: Bool)
    case function(name: String, parameters: [Parameter])
    case initializer(parameters: [Parameter], callsManagedInitializer: Bool)
    case other
  }

  struct Variable {
    var name: String
    /// Nil if it is inferred.
    var type: Range<Int>?
    /// After the name and the type.
    var end: Int
    /// The comma after it.
    var comma: Range<Int>?
  }

  struct Parameter {
    /// `_` if there is none.
    var label: String
    var name: String
    var type: String
  }

  /// The syntax after a property.
  enum Value {
    case none, initial, accessors, observers
  }

  var kind: Kind
  var attributes: [Attribute]
  var modifiers: [Modifier]
  /// The keyword's range.
  var keyword: Range<Int>
  /// The index of a method's or the first property's name.
  var name: Range<Int>
  var value: Value = .none
  /// Whether a property has accessors, and a setter among them.
  var hasSetter = false
  /// After a method's parameters and result.
  var signatureEnd = 0
  var condition: Condition

  func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

  func has(_ modifier: String) -> Bool { modifiers.contains { $0.name == modifier && $0.argument == nil } }

  var isOfType: Bool { has("static") || has("class") }
}

/// `#selector(…)` or `#keyPath(…)`.
struct PoundExpression {
  var name: String
  var range: Range<Int>
  /// The tokens between the parentheses.
  var tokens: ArraySlice<CodeToken>
  /// The index, in the file's types, of the type that contains it.
  var type: Int?
  var condition: Condition
}
