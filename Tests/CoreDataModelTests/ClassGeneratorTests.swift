import FaultInjection
import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform
import Testing

@Suite("Generated classes")
struct ClassGeneratorTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private func classes(_ elements: String, module: String = "App") throws -> String {
    try SampleModel.sources(ModelText.file(elements), module: module)[0].contents
  }

  /// `LOCALCLOUD_RECORD_SNAPSHOTS=1` records the sources again.
  // [model-class-1]
  @Test("the generated sources of a complete model equal the recorded ones")
  func generatedSourcesOfACompleteModelEqual() throws {
    for file in try SampleModel.sources() {
      let snapshot = Self.folder.appendingPathComponent("Fixtures/\(file.name).txt")
      if HostProcess.environment("LOCALCLOUD_RECORD_SNAPSHOTS") == "1" {
        try file.contents.write(to: snapshot, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOf: snapshot, encoding: .utf8) == file.contents, "\(file.name)")
    }
  }

  // [model-class-2]
  @Test(
    "attributes of each type get the right Swift types",
    arguments: [
      ("Integer 16", "Int16", "NSNumber?"), ("Integer 32", "Int32", "NSNumber?"), ("Integer 64", "Int64", "NSNumber?"),
      ("Double", "Double", "NSNumber?"), ("Float", "Float", "NSNumber?"), ("Boolean", "Bool", "NSNumber?"),
      ("Date", "TimeInterval", "Date?"), ("Decimal", "NSDecimalNumber?", "NSDecimalNumber?"),
      ("String", "String?", "String?"), ("Binary", "Data?", "Data?"), ("UUID", "UUID?", "UUID?"),
      ("URI", "URL?", "URL?"), ("Transformable", "NSObject?", "NSObject?"), ("Undefined", "NSObject?", "NSObject?"),
    ])
  func attributesOfEachTypeGetTheRight(_ type: String, _ scalar: String, _ object: String) throws {
    for isOptional in ["YES", "NO"] {
      let text = try classes(
        """
        <entity name="A" representedClassName="A" codeGenerationType="class">
          <attribute name="a" optional="\(isOptional)" transient="YES" attributeType="\(type)" usesScalarValueType="YES"/>
          <attribute name="b" optional="\(isOptional)" transient="YES" attributeType="\(type)"/>
        </entity>
        """)
      #expect(
        text.contains(
          """
            public var a: \(scalar) {
              get { self[_managed: "a"] }
              set { self[_managed: "a"] = newValue }
            }

            public var b: \(object) {
              get { self[_managed: "b"] }
              set { self[_managed: "b"] = newValue }
            }
          }

          """))
    }
  }

  // [model-class-2]
  @Test("transformable attributes and relationships get the right Swift types")
  func transformableAttributesAndRelationshipsGet() throws {
    let text = try SampleModel.sources()[0].contents
    for line in [
      "public var custom: NSArray?", "public var list: [String: [Int]]?", "public var nested: Shapes.Circle?",
      "public var album: Album?", "public var tags: NSSet?", "public var songs: NSOrderedSet?",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    #expect(text.contains("#if canImport(Shapes)"))
    #expect(text.contains("addToTags(_ value: NSManagedObject)"))
  }

  // [model-class-1] [model-class-3]
  @Test("the entity's code generation setting decides between a class and an extension, with properties sorted by name")
  func entitysCodeGenerationSettingDecidesBetween() throws {
    let properties = "<attribute name='b' attributeType='String'/><attribute name='a' attributeType='String'/>"
    let entity = { (generation: String) in
      "<entity name='Things' representedClassName='Thing' \(generation)>\(properties)</entity>"
    }
    let whole = try classes(entity("codeGenerationType='class'"))
    let category = try classes(entity("codeGenerationType='category'"))
    #expect(whole.contains("nonisolated public class Thing: NSManagedObject {\n"))
    #expect(
      category == whole.replacing(#/nonisolated public class Thing: NSManagedObject {\n(?: .*\n)+}\n\n/#, with: ""))
    #expect(
      whole.contains(
        """
        nonisolated extension Thing {
          public class func fetchRequest() -> NSFetchRequest<Thing> {
            NSFetchRequest<Thing>(entityName: "Things")
          }

          public var a: String? {
        """))
    let manual = try classes(entity(""))
    #expect(manual.contains("// No entity of the model has a class that is generated."))
    #expect(!manual.contains("Thing"))
  }

  // [model-class-3]
  @Test("fetched properties have no Swift property")
  func fetchedPropertiesHaveNoSwiftProperty() throws {
    #expect(!(try SampleModel.sources()[0].contents).contains("similar"))
  }

  /// The declarations of the methods for a relationship.
  private func methods(_ name: String, ordered: Bool) throws -> [String] {
    let text = try classes(
      """
      <entity name="A" representedClassName="A" codeGenerationType="class">
        <relationship name="\(name)" toMany="YES" ordered="\(ordered ? "YES" : "NO")" destinationEntity="B"/>
      </entity>
      <entity name="B" representedClassName="Item"/>
      """)
    return text.split(separator: "\n").filter { $0.hasPrefix("  public func ") }.map {
      String($0.dropFirst(14).dropLast(2))
    }
  }

  // [model-class-4]
  @Test("to-many relationships get accessor methods, and ordered ones get methods with indexes")
  func toManyRelationshipsGetAccessorMethods() throws {
    #expect(
      try methods("items", ordered: false) == [
        "addToItems(_ value: Item)", "removeFromItems(_ value: Item)", "addToItems(_ values: NSSet)",
        "removeFromItems(_ values: NSSet)",
      ])
    #expect(
      try methods("someItems", ordered: true) == [
        "insertIntoSomeItems(_ value: Item, at idx: Int)", "removeFromSomeItems(at idx: Int)",
        "insertIntoSomeItems(_ values: [Item], at indexes: NSIndexSet)",
        "removeFromSomeItems(at indexes: NSIndexSet)", "replaceSomeItems(at idx: Int, with value: Item)",
        "replaceSomeItems(at indexes: NSIndexSet, with values: [Item])", "addToSomeItems(_ value: Item)",
        "removeFromSomeItems(_ value: Item)", "addToSomeItems(_ values: NSOrderedSet)",
        "removeFromSomeItems(_ values: NSOrderedSet)",
      ])
  }

  // [model-class-5]
  @Test("a child entity's class is a subclass with its own properties, and only topmost classes are Identifiable")
  func childEntitysClassIsASubclass() throws {
    let text = try SampleModel.sources()[0].contents
    #expect(text.contains("public class Work: NSManagedObject {\n"))
    #expect(text.contains("public class Song: Work {\n"))
    #expect(text.contains("public class Sticker: Label {\n"))
    #expect(text.components(separatedBy: "public var title").count == 2)
    let identifiable = text.matches(of: #/extension (\w+): Identifiable/#).map { String($0.output.1) }
    #expect(identifiable == ["Work", "Values"])
  }

  @Test("names that are Swift keywords are escaped")
  func namesThatAreSwiftKeywordsAreEscaped() throws {
    let text = try classes(
      """
      <entity name="A" representedClassName="Protocol" codeGenerationType="class">
        <attribute name="in" attributeType="String"/>
      </entity>
      """)
    #expect(text.contains("class `Protocol`: NSManagedObject"))
    #expect(text.contains("public var `in`: String?"))
  }

  // [model-build-2]
  @Test("key paths are registered with their names, also for inherited properties")
  func keyPaths() throws {
    let text = try SampleModel.sources()[1].contents
    for line in [
      "(\\Work.title as AnyKeyPath, \"title\"),", "(\\Song.title as AnyKeyPath, \"title\"),",
      "(\\Song.seconds as AnyKeyPath, \"seconds\"),", "(\\Album.songs as AnyKeyPath, \"songs\"),",
      "(\\Values.`default` as AnyKeyPath, \"default\"),",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    // Properties that the app declares may be private, so they have no key paths.
    #expect(!text.contains("\\Label."))
    #expect(!text.contains("\\Sticker.tag"))
  }

  // [model-build-1]
  @Test("each model gives two files, also an empty one")
  func eachModelGivesTwoFiles() throws {
    for contents in [SampleModel.model, ModelText.file("")] {
      #expect(
        try SampleModel.sources(contents).map(\.name)
          == ["Sample+CoreDataClasses.swift", "Sample+CoreDataModel.swift"])
    }
  }

  // [model-build-1]
  @Test("a model's name and contents are string literals, with any characters in them")
  func modelsNameAndContentsAreStringLiterals() throws {
    let contents = ModelText.file("<!-- \"\"\"##### \\#(x) -->")
    let folder = try ModelFolder(
      "A \"\\(b)\".xcdatamodeld", ["1": contents, "2": contents],
      current: ModelFolder.currentVersion(named: "2.xcdatamodel"))
    let text = try GeneratedFile.all(for: try ModelPackage(path: folder.path), module: "App")[1].contents
    #expect(text.contains("\"A \\u{22}\\u{5c}(b)\\u{22}\", current: \"2\","))
    #expect(text.components(separatedBy: "######\"\"\"\n\(contents)\n\"\"\"######").count == 3)
    #expect(text.contains("module: \"App\")"))
  }

  @Test("generating a class of another module, or one class twice, is an error")
  func generatingAClassOfAnotherModule() throws {
    let failure = #expect(throws: ModelFailure.self) {
      try classes("<entity name='A' representedClassName='Other.A' codeGenerationType='class'/>")
    }
    let text = failure?.description ?? ""
    #expect(text.hasSuffix("error: A has the class Other.A, for which no code can be generated in the module App"))
    #expect(
      ModelText.problems(
        "<entity name='A' representedClassName='C' codeGenerationType='class'/>"
          + "<entity name='B' representedClassName='.C' codeGenerationType='category'/>")
        == ["contents:3:71: error: the class C is generated for A and for B"])
    #expect(
      ModelText.problems("<entity name='A' codeGenerationType='class'/>")
        == ["contents:3:1: warning: A has no class for which code could be generated"])
  }
}
