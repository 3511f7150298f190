import LocalCloudSourceRewriter
import Testing

@Suite("Rewritten expressions")
struct ExpressionTests {
  private static let keyPaths = [
    Example("let a = #keyPath(Person.home.city)", "let a = \"home.city\""),
    Example(
      "let a = \"\\(#keyPath(Person.home)) == %@\"", "let a = \"\\(\"home\")) == %@\"".replacing("))", with: ")")),
    Example("let a = #keyPath(Outer.Person.URL)", "let a = \"URL\""),
    Example(
      "class A { @objc(isB) var b = 1; func f() { g(#keyPath(b), #keyPath(A.b)) } }",
      "class A {  var b = 1; func f() { g(\"isB\", \"isB\") } }"),
    Example(
      "class A { @W(#keyPath(b.c)) var d = 1; func f(_ e: String = #keyPath(A.b)) }",
      "class A { @W(\"b.c\") var d = 1; func f(_ e: String = \"b\") }"),
    Example("let a = #keyPath(\n  A.`default`\n)", "let a = \"default\"\n\n"),
    Example(
      "class A: B { override var b: Int { 1 } }\nclass B { @objc(isB) var b = 1 }; let a = #keyPath(A.b)",
      "class A: B { override var b: Int { 1 } }\nclass B {  var b = 1 }; let a = \"isB\""),
  ]

  @Test("key path expressions become strings [rewrite-8]", arguments: keyPaths)
  func keyPath(_ example: Example) {
    let file = rewrite(example.source)
    #expect(file.diagnostics == [])
    #expect(file.parts.user == example.expected)
  }

  private static let casts = [
    Example(
      "let a = b as! NSFetchRequest<NSFetchRequestResult>", "let a = b  ⇢!  NSFetchRequest<NSFetchRequestResult>.self"),
    Example("f(a: b as? NSFetchRequest<Post>, c)", "f(a: b  ⇢?  NSFetchRequest<Post>.self, c)"),
    Example(
      "if let a = (b()as! NSFetchRequest<Outer.Post>).predicate { }",
      "if let a = (b() ⇢!  NSFetchRequest<Outer.Post>.self).predicate { }"),
    Example("let a = b as! CoreData.NSFetchRequest<A>", "let a = b  ⇢!  CoreData.NSFetchRequest<A>.self"),
    Example("let a = \"\\(b as? NSFetchRequest<A>)\"", "let a = \"\\(b  ⇢?  NSFetchRequest<A>.self)\""),
    Example("let a = b\n  as! NSFetchRequest<\n  A>\nc()", "let a = b\n   ⇢!  NSFetchRequest<\n  A>.self\nc()"),
  ]

  @Test("casts to fetch requests become operators [rewrite-17]", arguments: casts)
  func castsToFetchRequestsBecomeOperators(_ example: Example) {
    let file = rewrite(example.source)
    #expect(file.diagnostics == [])
    #expect(file.parts.user == example.expected)
  }

  private static let conditions = [
    Example(
      "let a = try #require(b as? NSFetchRequest<A>)", "let a = try #require([b  ⇢?  NSFetchRequest<A>.self][0])"),
    Example(
      "#expect(try f(b, c) as? NSFetchRequest<A> != nil, \"none\")",
      "#expect([try f(b, c)  ⇢?  NSFetchRequest<A>.self != nil][0], \"none\")"),
    Example("#expect((b as! NSFetchRequest<A>) === c)", "#expect([(b  ⇢!  NSFetchRequest<A>.self) === c][0])"),
    Example(
      "#expect(\n  nil == b as? NSFetchRequest<A> // c\n)",
      "#expect(\n  [nil == b  ⇢?  NSFetchRequest<A>.self][0] // c\n)"
    ),
    Example(
      "#expect(throws: E.self) { b as! NSFetchRequest<A> }",
      "#expect(throws: E.self) { b  ⇢!  NSFetchRequest<A>.self }"),
    Example("#expect(a == b); c as! NSFetchRequest<A>", "#expect(a == b); c  ⇢!  NSFetchRequest<A>.self"),
    Example("XCTUnwrap(b as? NSFetchRequest<A>)", "XCTUnwrap(b  ⇢?  NSFetchRequest<A>.self)"),
    Example(
      "#expect(performing: { b as! NSFetchRequest<A> }, throws: c)",
      "#expect(performing: { b  ⇢!  NSFetchRequest<A>.self }, throws: c)"),
  ]

  @Test(
    "a condition of Swift Testing with a cast hides the operator from the macro [rewrite-17]", arguments: conditions)
  func conditionOfSwiftTestingWithACast(_ example: Example) {
    let file = rewrite(example.source)
    #expect(file.diagnostics == [])
    #expect(file.parts.user == example.expected)
  }

  @Test(
    "other casts stay unchanged [rewrite-17]",
    arguments: [
      "let a = b as! NSFetchRequest<A>?", "let a = b as NSFetchRequest<A>", "let a = b as! [NSFetchRequest<A>]",
      "case let a as NSFetchRequest<A>:", "let a = b is NSFetchRequest<A>", "let a = b as! MyFetchRequest<A>",
      "let a = b as! NSFetchRequest<A", "// b as! NSFetchRequest<A>",
    ])
  func otherCast(_ source: String) { #expect(rewrite(source).parts.user == source) }

  /// Used within a class with these methods.
  private static let selectors: [(String, String)] = [
    ("bare", "Selector(\"bare\", of: Outer.A.self, { $0.bare() })"),
    ("one", "Selector(\"one:\", of: Outer.A.self, { $0.one($1) })"),
    ("one(_:)", "Selector(\"one:\", of: Outer.A.self, { $0.one($1) })"),
    ("self.bare", "Selector(\"bare\", of: Outer.A.self, { $0.bare() })"),
    ("Self.all", "Selector(\"all:\", of: Outer.A.Type.self, { $0.all($1) })"),
    ("A.labelled(file:)", "Selector(\"labelledWithFile:\", of: A.self, { $0.labelled(file: $1) })"),
    ("A.labelled(for:)", "Selector(\"labelledFor:\", of: A.self, { $0.labelled(for: $1) })"),
    ("Outer.A.named", "Selector(\"other:\", of: Outer.A.self, { $0.named($1) })"),
    ("Module.Outer.A.named", "Selector(\"other:\", of: Module.Outer.A.self, { $0.named($1) })"),
    ("inherited", "Selector(\"inherited\", of: Outer.A.self, { $0.inherited() })"),
    (
      "NSString.localizedStandardCompare",
      "Selector(\"localizedStandardCompare:\", of: NSString.self, { $0.localizedStandardCompare($1) })"
    ),
    ("NSString.compare(_:)", "Selector(\"compare:\", of: NSString.self, { $0.compare($1) })"),
    ("bare as () -> Void", "Selector(\"bare\", of: Outer.A.self, { $0.bare() })"),
    ("(bare) as () -> Void", "Selector(\"bare\", of: Outer.A.self, { $0.bare() })"),
    ("A.one(_:) as (A) -> (Int) -> Void", "Selector(\"one:\", of: A.self, { $0.one($1) })"),
    ("unknown(_:)", "Selector(\"unknown:\", of: Outer.A.self, { $0.unknown($1) })"),
    ("type(of: self).all", "Selector(\"all:\", of: Outer.A.Type.self, { $0.all($1) })"),
    ("type(of: self).bare", "Selector(\"bare\", of: Outer.A.self, { $0.bare() })"),
    ("A<Int, B<C>>.bare", "Selector(\"bare\", of: A<Int,B<C>>.self, { $0.bare() })"),
    ("Outer.A<Int>.one(_:)", "Selector(\"one:\", of: Outer.A<Int>.self, { $0.one($1) })"),
    ("getter: level", "Selector(\"level\", of: Outer.A.self, { $0.level })"),
    ("getter: Outer.A.full", "Selector(\"isFull\", of: Outer.A.self, { $0.full })"),
    ("setter: A.level", "Selector(\"setLevel:\", of: A.self, { $0.level = $1 })"),
    ("getter: self.level", "Selector(\"level\", of: Outer.A.self, { $0.level })"),
    ("getter: UIView.frame", "Selector(\"frame\", of: UIView.self, { $0.frame })"),
    ("getter: A.overridden", "Selector(\"isOverridden\", of: A.self, { $0.overridden })"),
    ("setter: A.overridden", "Selector(\"setIsOverridden:\", of: A.self, { $0.overridden = $1 })"),
    ("outer", "Selector(\"outer\", of: Outer.self, { $0.outer() })"),
  ]

  @Test(
    "a selector expression becomes a Selector with a closure that calls the method [rewrite-9]", arguments: selectors)
  func selector(source: String, expected: String) {
    let declarations = """
       func bare() {}; func one(_ a: Any? = nil) {}; class func all(_ n: N) {}; func labelled(file: Int) {}
       func labelled(for: Int) {}; @objc(other:) func named(_ a: Int) {}
       var level = 1; override var overridden: Bool { get { false } set {} }
      """
    let start = "class Outer { func outer() {}; class A: B {\n\(declarations)\n let s = "
    let base =
      "class B { func inherited() {}; @objc(isFull) var full = true; @objc(isOverridden) var overridden = true }"
    let file = rewrite(start + "#selector(\(source)) } }", others: [base])
    #expect(file.diagnostics == [])
    #expect(file.parts.user.split(separator: "\n").last == " let s = \(expected) } }")
    #expect(file.parts.added == ["import CoreData"])
  }

  @Test("a selector expression of several lines takes the same number of lines after rewriting [rewrite-1]")
  func selectorExpressionOfSeveralLinesTakes() {
    let file = rewrite("class A { func f() {}\n let s = #selector(\n  f // g\n ) ; let t = 1 }")
    #expect(
      file.parts.user == "class A { func f() {}\n let s = Selector(\"f\", of: A.self, { $0.f() })\n\n ; let t = 1 }")
  }

  @Test("CoreData is imported if and only if the rewritten code uses its names")
  func coreDataIsImported() {
    #expect(rewrite("import CoreData\nlet s = #selector(A.f(_:))").parts.added == [])
    #expect(rewrite("@preconcurrency public import CoreData\nlet s = #selector(A.f(_:))").parts.added == [])
    #expect(rewrite("autoreleasepool { }").parts.added == ["import CoreData"])
    // [rewrite-16]
    #expect(rewrite("class A: ValueTransformer {}").parts.added == ["import CoreData"])
    #expect(rewrite("import CoreData.NSManagedObject\nclass A: ValueTransformer {}").parts.added == [])
    #expect(rewrite("class A: NSManagedObject { init(b: Int) {} }").parts.added == ["import CoreData"])
    #expect(rewrite("@objc func f() {}").parts.added == [])
  }
}
