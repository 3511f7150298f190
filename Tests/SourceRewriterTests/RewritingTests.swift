import LocalCloudSourceRewriter
import Testing

/// A source and the expected result: the user's lines, and the statements that are registered after them.
struct Example: Sendable, CustomTestStringConvertible {
  var source: String
  var expected: String
  var registered: [String]?

  init(_ source: String, _ expected: String, registered: [String]? = nil) {
    self.source = source
    self.expected = expected
    self.registered = registered
  }

  var testDescription: String { source }
}

func rewrite(_ source: String, others: [String] = [], known: [String] = []) -> RewrittenFile {
  let files = ([source] + others).map { SourceFile(path: "/a/File.swift", bytes: Array($0.utf8)) }
  return Rewriter.rewrite(files, known: known.map { SourceFile(path: "/a/Known.swift", bytes: Array($0.utf8)) })[0]
}

extension RewrittenFile {
  /// The text without the first line, and the statements after the user's lines.
  var parts: (user: String, added: [String]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let user = text[(text.firstIndex(of: "\n").map { text.index(after: $0) } ?? text.endIndex)...]
    guard let end = user.range(of: "\n#sourceLocation()\n") else { return (String(user), []) }
    let lines = user[end.upperBound...].split(separator: "\n").map { String($0.drop { $0 == " " }) }
    return (String(user[..<end.lowerBound]), lines.filter { !$0.hasPrefix("@section") && $0 != "}" })
  }
}

@Suite("Rewritten declarations")
struct RewritingTests {
  private func check(_ example: Example) {
    let file = rewrite(example.source)
    #expect(file.diagnostics == [])
    #expect(file.parts.user == example.expected)
    if let registered = example.registered { #expect(file.parts.added == registered) }
  }

  private static let dropped = [
    Example("@objc func f() {}", " func f() {}"),
    Example("class A { @objc(f:) dynamic public func f(_ a: Int) {} }", "class A {   public func f(_ a: Int) {} }"),
    Example("@objcMembers\nclass A {}", "\nclass A {}"),
    Example("class A { @IBOutlet weak var b: C!; @IBAction func d() {} }", "class A {  weak var b: C!;  func d() {} }"),
    Example("@objc enum A: Int { case b }", " enum A: Int { case b }"),
    Example(
      "struct A { var dynamic = 1; func f() { let x = dynamic\n let y = 2 } }",
      "struct A { var dynamic = 1; func f() { let x = dynamic\n let y = 2 } }"),
    Example(
      "@nonobjc class A { @available(iOS 13, *) @objc var b = 1 }",
      "@nonobjc class A { @available(iOS 13, *)  var b = 1 }"),
    Example("@objc protocol A {}", " protocol A: AnyObject {}"),
    Example("@objc(PA) public protocol A: B {}", " public protocol A: AnyObject, B {}"),
    Example("@objc protocol A: class {}", " protocol A: AnyObject {}"),
    Example("@objc protocol A: class, B {}", " protocol A: AnyObject, B {}"),
    Example("@objc protocol A: NSObjectProtocol {}", " protocol A: NSObjectProtocol {}"),
    Example(
      "struct A { static func < (l: A, r: A) -> Bool { true }; @objc func f<T>(_ t: T) where T: B<Int>\n@objc func g() {} }",
      "struct A { static func < (l: A, r: A) -> Bool { true };  func f<T>(_ t: T) where T: B<Int>\n func g() {} }"),
    Example("@objc extension A { func f() {} }", " extension A { func f() {} }"),
    Example("class A { var b: Int { @objc(isB) get { 1 } } }", "class A { var b: Int {  get { 1 } } }"),
  ]

  @Test("Objective-C attributes are removed [rewrite-4]", arguments: dropped)
  func objectiveCAttributesAreRemoved(_ example: Example) { check(example) }

  private static func body(_ key: String) -> String { "{ get { self[\(key)] } set { self[\(key)] = newValue } }" }

  private static let properties = [
    Example(
      "class A { @NSManaged public var b: String? }", "class A {  public var b: String? \(body("_managed: \"b\"")) }"),
    Example(
      "class A {\n  @NSManaged\n  var b: Set<A> // c\n}",
      "class A {\n  \n  var b: Set<A> \(body("_managed: \"b\"")) // c\n}"),
    Example(
      "class A { @NSManaged private(set) var b: Int16, c: [String:\n Int]; var d = 1 }",
      "class A {  private(set) var b: Int16 \(body("_managed: \"b\"")); private(set) var c: [String:\n Int] \(body("_managed: \"c\"")); var d = 1 }"
    ),
    Example(
      "class A { @NSManaged var b, c: Bool }",
      "class A {  var b: Bool \(body("_managed: \"b\"")); var c: Bool \(body("_managed: \"c\"")) }"),
    Example("class A { @NSManaged @objc(isB) var b: Bool }", "class A {   var b: Bool \(body("_managed: \"isB\"")) }"),
    Example(
      "class A { @NSManaged var `default`: Bool }", "class A {  var `default`: Bool \(body("_managed: \"default\"")) }"),
    Example(
      "class A { @NSManaged private var primitiveB: String? }",
      "class A {  private var primitiveB: String? \(body("_primitive: \"b\"")) }"),
    Example(
      "class A { @NSManaged var primitive: Int, primitives: Int }",
      "class A {  var primitive: Int \(body("_managed: \"primitive\"")); var primitives: Int \(body("_managed: \"primitives\"")) }"
    ),
  ]

  @Test("managed properties get accessors [rewrite-5]", arguments: properties)
  func managedPropertiesGetAccessors(_ example: Example) { check(example) }

  private static let methods: [(String, String)] = [
    ("@objc(addItemsObject:) @NSManaged func addToItems(_ value: Item)", "_addObject(value, to: \"items\")"),
    ("@objc(removeItemsObject:) @NSManaged func removeFromItems(_ v: Item)", "_removeObject(v, from: \"items\")"),
    ("@objc(addItems:) @NSManaged func addToItems(_ values: NSSet)", "_addObjects(values, to: \"items\")"),
    ("@objc(removeItems:) @NSManaged func x(_ values: Set<Item>)", "_removeObjects(values as NSSet, from: \"items\")"),
    (
      "@objc(addToDos:) @NSManaged func addToToDos(_ values: NSOrderedSet)", "_addOrderedObjects(values, to: \"toDos\")"
    ),
    ("@NSManaged func removeFromItems(_ values: NSOrderedSet)", "_removeOrderedObjects(values, from: \"items\")"),
    (
      "@objc(insertObject:inItemsAtIndex:) @NSManaged func i(_ v: Item, at idx: Int)",
      "_insertObject(v, into: \"items\", at: idx)"
    ),
    ("@NSManaged func insertIntoItems(_ v: [Item], at i: NSIndexSet)", "_insertObjects(v, into: \"items\", at: i)"),
    ("@objc(removeObjectFromItemsAtIndex:) @NSManaged func r(at idx: Int)", "_removeObject(from: \"items\", at: idx)"),
    ("@NSManaged func removeFromItems(at idx: Int)", "_removeObject(from: \"items\", at: idx)"),
    (
      "@objc(removeItemsAtIndexes:) @NSManaged func r(at i: IndexSet)",
      "_removeObjects(from: \"items\", at: i as NSIndexSet)"
    ),
    (
      "@objc(replaceObjectInItemsAtIndex:withObject:) @NSManaged func r(at i: Int, with v: Item)",
      "_replaceObject(in: \"items\", at: i, with: v)"
    ),
    (
      "@objc(replaceItemsAtIndexes:withItems:) @NSManaged func r(at i: NSIndexSet, with v: [Item])",
      "_replaceObjects(in: \"items\", at: i, with: v)"
    ),
    (
      "@NSManaged func replaceItems(at i: NSIndexSet, with v: [Item])", "_replaceObjects(in: \"items\", at: i, with: v)"
    ),
    ("@NSManaged func addItemsObject(_ v: Item)", "_addObject(v, to: \"items\")"),
    ("@NSManaged func addItems(_ v: NSSet)", "_addObjects(v, to: \"items\")"),
    ("@NSManaged func removeItems(items: Set<Item>)", "_removeObjects(items as NSSet, from: \"items\")"),
    ("@NSManaged func addToDos(_ v: NSSet)", "_addObjects(v, to: \"dos\")"),
    ("@NSManaged var toDos: NSSet?; @NSManaged func addToDos(_ v: NSSet)", "_addObjects(v, to: \"toDos\")"),
  ]

  @Test("managed methods get bodies according to their names [rewrite-6]", arguments: methods)
  func managedMethodsGetBodiesAccording(source: String, body: String) {
    let file = rewrite("extension A {\n\(source)\n}")
    #expect(file.diagnostics == [])
    #expect(file.parts.user.hasSuffix(") { \(body) }\n}"))
  }

  private static let required =
    " public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { super.init(entity: entity, insertInto: context) };"

  private static let initialisers = [
    Example(
      "class A: NSManagedObject { override init(entity: E, insertInto c: C?) {} }",
      "class A: NSManagedObject { public required init(entity: E, insertInto c: C?) {} }"),
    Example(
      "public class A: CoreData.NSManagedObject { @objc override private init(entity: E, insertInto c: C?) {} }",
      "public class A: CoreData.NSManagedObject {  public required  init(entity: E, insertInto c: C?) {} }"),
    Example(
      "class A: NSManagedObject { public required override init(entity: E, insertInto c: C?) {} }",
      "class A: NSManagedObject { public required  init(entity: E, insertInto c: C?) {} }"),
    Example("class A: NSManagedObject { init(b: Int) {} }", "class A: NSManagedObject {\(required) init(b: Int) {} }"),
    Example(
      "class A: NSManagedObject { let x: Int; init(b: Int) {} }",
      "class A: NSManagedObject { public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { fatalError(\"'A' has no init(entity:insertInto:) of its own\") }; let x: Int; init(b: Int) {} }"
    ),
    Example(
      "class A: NSManagedObject { convenience init(b: Int) {} }",
      "class A: NSManagedObject { convenience init(b: Int) {} }"),
    Example(
      "class A: NSManagedObject { convenience init(context: C) {} }",
      "class A: NSManagedObject { public required convenience init(context: C) {} }"),
    Example(
      "class A: NSManagedObject { override convenience init(context c: C) {} }",
      "class A: NSManagedObject { public required convenience init(context c: C) {} }"),
    Example("class A: B { init(b: Int) {} }", "class A: B { init(b: Int) {} }"),
    Example(
      "class A: B { init(b: Int) { super.init(entity: e, insertInto: c) } }",
      "class A: B {\(required) init(b: Int) { super.init(entity: e, insertInto: c) } }"),
    Example("struct A { init(entity: E, insertInto c: C?) {} }", "struct A { init(entity: E, insertInto c: C?) {} }"),
  ]

  @Test("classes of managed objects get the required initializer [rewrite-7]", arguments: initialisers)
  func classesOfManagedObjectsGetTheRequired(_ example: Example) { check(example) }

  /// The override in the extension, its replacement there under a new name, and the override that the class gets.
  private static let overrides: [(source: String, replacement: String, stub: String)] = [
    (
      "override func awakeFromInsert() { super.awakeFromInsert() }",
      "@_dynamicReplacement(for: awakeFromInsert())  func _extension_awakeFromInsert() { super.awakeFromInsert() }",
      " override dynamic func awakeFromInsert() { super.awakeFromInsert() };"
    ),
    (
      "public override func f(_ a: Int, b c: inout [Int]) throws -> Int { 1 }",
      "@_dynamicReplacement(for: f(_:b:)) public  func _extension_f(_ a: Int, b c: inout [Int]) throws -> Int { 1 }",
      " public override dynamic func f(_ a: Int, b c: inout [Int]) throws -> Int { try super.f(a, b: &c) };"
    ),
    (
      "override func f(\n a: Int // one\n) async\n {}",
      "@_dynamicReplacement(for: f(a:))  func _extension_f(\n a: Int // one\n) async\n {}",
      " override dynamic func f( a: Int ) async { await super.f(a: a) };"
    ),
    (
      "override class func entity() -> E { super.entity() }",
      "@_dynamicReplacement(for: entity())  class func _extension_entity() -> E { super.entity() }",
      " override dynamic class func entity() -> E { super.entity() };"
    ),
    (
      "override var a: Int { 1 }", "@_dynamicReplacement(for: a)  var _extension_a: Int { 1 }",
      " override dynamic var a: Int { get { super.a } };"
    ),
    (
      "override var a: Int { get { 1 } set {} }",
      "@_dynamicReplacement(for: a)  var _extension_a: Int { get { 1 } set {} }",
      " override dynamic var a: Int { get { super.a } set { super.a = newValue } };"
    ),
  ]

  @Test(
    "an override in an extension becomes a replacement of an override in the class, also across files [rewrite-15]",
    arguments: overrides
  )
  func overrideInExtension(source: String, replacement: String, stub: String) {
    let file = rewrite("extension A { \(source) }", others: ["class A: B {}"])
    #expect(file.diagnostics == [])
    #expect(file.parts.user == "extension A { \(replacement) }")
    let other = rewrite("class A: B {}", others: ["extension A { \(source) }"])
    #expect(other.diagnostics == [])
    #expect(other.parts.user == "class A: B {\(stub)}")
  }

  /// An extension's head, the access level that its override writes, and the level of the override in the class.
  private static let accessLevels: [(extension: String, written: String, level: String)] = [
    ("extension", "open ", "open "), ("extension", "public ", "public "), ("extension", "package ", "package "),
    ("extension", "internal ", "internal "), ("extension", "fileprivate ", "fileprivate "),
    ("extension", "private ", "fileprivate "), ("extension", "", ""), ("package extension", "", "package "),
    ("public extension", "package ", "package "), ("private extension", "", "fileprivate "),
  ]

  @Test("an override in the class has the access level of that in the extension [rewrite-15]", arguments: accessLevels)
  func accessLevel(head: String, written: String, level: String) {
    let file = rewrite(
      "class A: B {}", others: ["\(head) A { override \(written)class func entity() -> E { super.entity() } }"])
    #expect(
      file.parts.user == "class A: B { \(level)override dynamic class func entity() -> E { super.entity() };}")
  }

  @Test(
    "the class of an override may be generated; generated classes already have the lifecycle overrides [rewrite-15]")
  func overrideOfGenerated() {
    let source = "extension A { override func willSave() {}; override func f() {} }"
    let file = rewrite(source)
    #expect(
      file.parts.user
        == "extension A { @_dynamicReplacement(for: willSave())  func _extension_willSave() {}; override func f() {} }")
    #expect(file.diagnostics.map(\.column) == [44])
  }

  @Test("an import of a submodule becomes an import of its module [rewrite-16]")
  func importOfASubmoduleBecomesAnImport() {
    let source = "import CoreData.NSManagedObject\n@preconcurrency import CloudKit.CKRecord.A\nimport class CoreData.B"
    let file = rewrite(source)
    #expect(file.parts.user == "import CoreData\n@preconcurrency import CloudKit\nimport class CoreData.B")
  }

  @Test("required is removed from an initializer in an extension [rewrite-7]")
  func requiredInExtension() {
    #expect(
      rewrite("extension A { required convenience init(b: Int) {} }").parts.user
        == "extension A {  convenience init(b: Int) {} }")
  }

  @Test("a superclass is found in all files, also in those that are not rewritten [rewrite-7]")
  func superclassIsFoundInAllFiles() {
    let source = "class A: Outer.B { init(b: Int) {} }"
    let base = "class C: NSManagedObject {}"
    #expect(rewrite(source).parts.user == source)
    #expect(rewrite(source, others: ["enum Outer { class B: C {} }"]).parts.user == source)
    let expected = "class A: Outer.B {\(Self.required) init(b: Int) {} }"
    #expect(rewrite(source, others: ["enum Outer { class B: C {} }", base]).parts.user == expected)
    #expect(rewrite(source, others: ["enum Outer { class B: C {} }"], known: [base]).parts.user == expected)
    #expect(rewrite(source, others: ["extension Outer.B { @NSManaged var x: Int }"]).parts.user == expected)
    // The compiler reports classes that inherit from each other.
    #expect(rewrite("class A: B {}; class B: A {}").diagnostics == [])
  }
}
