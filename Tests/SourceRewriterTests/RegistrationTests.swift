import LocalCloudSourceRewriter
import Testing

@Suite("Registration before the program starts")
struct RegistrationTests {
  private static let examples: [(String, [String])] = [
    ("@objc(B) class A: NSManagedObject {}", ["_registerManagedObjectClass(\"B\", { A.self })"]),
    ("enum O { @objc(B) class A: X {} }", ["_registerManagedObjectClass(\"B\", { O.A.self })"]),
    ("@objc class A: X {}", []),
    ("@objc(B) class A<T>: X {}", []),
    ("enum O { @objc(B) private class A: X {} }", []),
    ("func f() { @objc(B) class A: X {} }", []),
    (
      "class A: X { @NSManaged var b: Int, c: Int; @NSManaged private var d: Int; @NSManaged var primitiveB: Int }",
      ["_registerKeyPaths({ [(\\A.b, \"b\"), (\\A.c, \"c\")] })"]
    ),
    ("extension A { @NSManaged var `class`: Int }", ["_registerKeyPaths({ [(\\A.`class`, \"class\")] })"]),
    (
      "class A: X { @objc var b: Int { 1 } }",
      [
        "_registerComputedProperty({ A.self }, \"b\", { ($0 as! A).b })",
        "_registerKeyPaths({ [(\\A.b, \"b\")] })",
      ]
    ),
    (
      "class A: X { @objc(isB) var b: Int { 1 }; @objc static var c = 1; var d = 1 }",
      [
        "_registerComputedProperty({ A.self }, \"b\", { ($0 as! A).b })",
        "_registerComputedProperty({ A.self }, \"isB\", { ($0 as! A).b })",
        "_registerKeyPaths({ [(\\A.b, \"isB\")] })",
      ]
    ),
    (
      "@objcMembers class A: X { private var a = 1; @nonobjc var b = 1 }; extension A { var c: Int { 1 } }",
      [
        "_registerComputedProperty({ A.self }, \"c\", { ($0 as! A).c })",
        "_registerKeyPaths({ [(\\A.c, \"c\")] })",
      ]
    ),
    (
      "@objcMembers class A: X {}; class B: A { var c = 1 }",
      [
        "_registerComputedProperty({ B.self }, \"c\", { ($0 as! B).c })",
        "_registerKeyPaths({ [(\\B.c, \"c\")] })",
      ]
    ),
    ("@objc protocol A { var b: Int { get } }", []),
    ("#if os(iOS)\n@objc(A) class A: X {}\n#endif", []),
    (
      "#if os(Linux) && !targetEnvironment(simulator)\n@objc(A) class A: X {}\n#endif",
      ["_registerManagedObjectClass(\"A\", { A.self })"]
    ),
    (
      "#if canImport(UIKit)\n#elseif DEBUG\n@objc(A) class A: X {}\n#endif",
      ["#if !(canImport(UIKit)) && (DEBUG)", "_registerManagedObjectClass(\"A\", { A.self })", "#endif"]
    ),
    (
      "class A: X {\n#if DEBUG || swift(>=6)\n@NSManaged var b: Int\n#else\n@NSManaged var c: Int\n#endif\n}",
      [
        "#if (DEBUG || swift(>=6))", "_registerKeyPaths({ [(\\A.b, \"b\")] })", "#endif",
        "#if !(DEBUG || swift(>=6))", "_registerKeyPaths({ [(\\A.c, \"c\")] })", "#endif",
      ]
    ),
  ]

  @Test("classes, key paths and properties that the file declares are registered [rewrite-10]", arguments: examples)
  func classesKeyPathsAndProperties(source: String, expected: [String]) {
    let file = rewrite("import CoreData\n" + source)
    #expect(file.diagnostics == [])
    #expect(file.parts.added == expected)
  }
}
