import LocalCloudSourceRewriter
import Testing

@Suite("Errors and warnings at positions in the user's source")
struct DiagnosticTests {
  private static let examples: [(String, String)] = [
    (
      "class A {\n  let s = #selector(other.f)\n}",
      "2:11: error: #selector of the method of a value, 'other', is not possible here: name its type, as in #selector(Type.f)"
    ),
    (
      "class A {\n  let s = #selector(self.other.f(_:))\n}",
      "2:11: error: #selector of the method of a value, 'self.other', is not possible here: name its type, as in #selector(Type.f)"
    ),
    (
      "class A { let s = #selector(super.f) }",
      "1:19: error: #selector of the method of a value, 'super', is not possible here: name its type, as in #selector(Type.f)"
    ),
    ("let é = 1, s = #selector(f)", "1:17: error: #selector outside of a type needs the type: #selector(Type.f)"),
    (
      "class A { let s = #selector(f) }",
      "1:19: error: 'f' is not declared in the files that are rewritten: write its labels, as in #selector(f(_:))"
    ),
    (
      "class A { let s = #selector(f(_:b:)) }",
      "1:19: error: #selector of a method with more than one parameter is not possible here"
    ),
    ("class A { let s = #selector(getter: b(c:)) }", "1:19: error: expected a property's name in #selector"),
    (
      "class A { let s = #selector(type(of: other).f) }",
      "1:19: error: expected a method's name in #selector"
    ),
    (
      "extension A { override subscript(a: Int) -> Int { 1 }\n override init() {} }",
      "2:2: error: this can't be overridden in an extension: move it into the class 'A'"
    ),
    ("class A { let s = #selector() }", "1:19: error: expected a method's name in #selector"),
    ("let s = #keyPath()", "1:9: error: expected the properties' names in #keyPath"),
    (
      "@objc protocol P {\n  func f()\n  @objc optional func g()\n}",
      "3:9: error: an optional requirement needs Objective-C: declare it without 'optional', and give it a default in an extension of 'P'"
    ),
    (
      "class A: B {\n  @NSManaged func take(_ b: B)\n}",
      "2:14: error: 'take' is none of the methods that Core Data makes for a relationship; those of 'items' are addToItems, removeFromItems, insertIntoItems and replaceItems"
    ),
    (
      "class A { @NSManaged var b: Int = 1 }",
      "1:22: error: @NSManaged is for variables without a value, and for methods"
    ),
    ("class A { @NSManaged let b: Int }", "1:22: error: @NSManaged is for variables without a value, and for methods"),
    ("class A { @NSManaged var b }", "1:22: error: the @NSManaged property 'b' needs a type"),
    (
      "class A: NSManagedObject { @objc private var b: Int { 1 } }",
      "1:42: warning: value(forKey:) and predicates do not find private properties: declare it fileprivate"
    ),
    (
      "#if os(Linux)\nlet s = #selector(f)\n#endif",
      "2:9: error: #selector outside of a type needs the type: #selector(Type.f)"
    ),
  ]

  @Test("a construct that cannot be rewritten is reported with its position [rewrite-11]", arguments: examples)
  func constructThatCannotBeRewrittenIsReported(source: String, expected: String) {
    #expect(rewrite(source).diagnostics.map(\.description) == ["/a/File.swift:" + expected])
  }

  @Test(
    "code that may be excluded from the build is left unchanged and without errors [rewrite-12]",
    arguments: [
      "os(iOS)", "DEBUG", "canImport(UIKit)", "!os(Linux)", "targetEnvironment(simulator)", "false", "swift(>=7)",
    ])
  func codeThatMayBeExcluded(condition: String) {
    let source = "#if \(condition)\nlet s = #selector(f)\n@objc protocol P { @objc optional func f() }\n#endif"
    #expect(rewrite(source).diagnostics == [])
    #expect(rewrite(source).parts.user.contains("#selector(f)"))
    #expect(rewrite("#if !(\(condition))\n#else\nlet s = #selector(f)\n#endif").diagnostics == [])
  }
}
