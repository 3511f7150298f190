import FaultInjection
import LocalCloudCoreDataModel
import TestSupport
import Testing

@Suite("Errors and warnings in models")
struct ModelProblemTests {
  /// The error messages of a model without their positions.
  private func errors(_ elements: String) -> [String] {
    ModelText.problems(elements).filter { $0.contains(": error: ") }.map {
      $0.split(separator: ": error: ").last.map(String.init) ?? ""
    }
  }

  // [model-check-1]
  @Test("all errors of a model are reported with file, line and column")
  func allErrorsOfAModelAreReported() {
    let problems = ModelText.problems(
      """
      <entity name="Item">
        <attribute name="a" attributeType="Text"/>
        <attribute name="b" optional="yes" attributeType="String"/>
        <relationship name="c" destinationEntity="Nothing"/>
      </entity>
      """)
    #expect(
      problems == [
        "contents:4:3: error: Item.a has an unknown type 'Text'",
        "contents:5:3: error: optional is 'yes'; it must be YES or NO",
        "contents:6:3: error: Item.c leads to an unknown entity 'Nothing'",
      ])
  }

  // [model-check-1]
  @Test("a file that is not XML, or not a model, is refused with one error")
  func noModel() throws {
    for (text, expected) in [
      ("<model>\n<entity", "2:1: error: <entity is not closed by >"),
      ("<plist/>", "1:1: error: expected <model>, and not <plist>"),
      ("bplist00", "1:1: error: expected an element"),
    ] {
      let failure = #expect(throws: ModelFailure.self) { try ModelReader.read(text, file: "a/contents") }
      #expect(failure?.description == "a/contents:\(expected)")
      #expect(failure?.errors.count == 1)
    }
  }

  // [model-check-1]
  @Test("at most 100 problems are reported, and at least one error is among them")
  func atMost100ProblemsAreReported() throws {
    let warnings = String(repeating: "<x/>\n", count: 10_000)
    let problems = ModelText.problems(warnings + "<entity/>")
    #expect(problems.count == 100)
    #expect(problems.last == "contents:10003:1: error: <entity> has no name")
    let twins = ModelText.problems(warnings + "<entity name='A'/>\n<entity name='A'/>")
    #expect(twins.last == "contents:10004:1: error: an entity A is there already, in line 10003")
  }

  // [model-check-2]
  @Test(
    "duplicate names and invalid names are errors",
    arguments: [
      ("<entity name='A'/><entity name='A'/>", "an entity A is there already, in line 3"),
      (
        "<entity name='A'><attribute name='a' attributeType='String'/><relationship name='a' destinationEntity='A'/></entity>",
        "a property A.a is there already, in line 3"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='String'/></entity><entity name='B' parentEntity='A'/>"
          + "<entity name='C' parentEntity='B'><attribute name='a' attributeType='String'/></entity>",
        "C inherits a property a of A"
      ),
      ("<configuration name='A'/><configuration name='A'/>", "a configuration A is there already, in line 3"),
      (
        "<entity name='A'/><fetchRequest name='f' entity='A'/><fetchRequest name='f' entity='A'/>",
        "a fetch request f is there already, in line 3"
      ),
      ("<entity/>", "<entity> has no name"),
      ("<entity name=''/>", "<entity> has no name"),
      (
        "<entity name='A'><attribute name='a b'/></entity>",
        "'a b' is no name: letters, digits and _ are allowed, and no digit first"
      ),
      ("<entity name='1'/>", "'1' is no name: letters, digits and _ are allowed, and no digit first"),
      (
        "<entity name='A'><attribute name='description' attributeType='String'/></entity>",
        "a property can't be called description: NSManagedObject has a property or method of that name"
      ),
      (
        "<entity name='A' representedClassName='X {}'/>", "'X {}' is no name of a class"
      ),
      (
        "<entity name='A'><userInfo><entry key='k'/><entry key='k'/></userInfo></entity>",
        "the key 'k' is there already"
      ),
    ])
  func duplicateNamesAndInvalidNamesAreErrors(_ elements: String, _ expected: String) {
    #expect(errors(elements) == [expected])
  }

  // [model-check-3]
  @Test(
    "references to missing entities and properties, and cycles of parents, are errors",
    arguments: [
      ("<entity name='A' parentEntity='B'/>", ["A has an unknown parent 'B'"]),
      ("<entity name='A' parentEntity='A'/>", ["A has parents without an end, or more than 100"]),
      (
        "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='C'/><entity name='C' parentEntity='B'/>",
        ["A", "B", "C"].map { "\($0) has parents without an end, or more than 100" }
      ),
      ("<entity name='A'><relationship name='a'/></entity>", ["A.a has no destination"]),
      (
        "<entity name='A'><relationship name='a' destinationEntity='B'/></entity>",
        ["A.a leads to an unknown entity 'B'"]
      ),
      (
        "<entity name='A'><fetchedProperty name='a'><fetchRequest name='f' entity='B'/></fetchedProperty></entity>",
        ["A.a fetches an unknown entity 'B'"]
      ),
      ("<fetchRequest name='f' entity='B'/>", ["the fetch request f fetches an unknown entity 'B'"]),
      (
        "<configuration name='C'><memberEntity name='B'/></configuration>",
        ["the configuration C has an unknown entity 'B'"]
      ),
      (
        "<entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='a'/></uniquenessConstraint>"
          + "</uniquenessConstraints></entity>", ["A has a uniqueness constraint of an unknown property 'a'"]
      ),
    ])
  func referencesToMissingEntitiesAndProperties(_ elements: String, _ expected: [String]) {
    #expect(errors(elements) == expected)
  }

  /// A model of `A.b` and `B.a` with these inverses.
  private func pair(_ first: String, _ second: String) -> String {
    """
    <entity name='A'><relationship name='b' destinationEntity='B' \(first)/></entity>
    <entity name='B'><relationship name='a' destinationEntity='A' \(second)/><relationship name='c' destinationEntity='B'/>
    </entity><entity name='C' parentEntity='B'/>
    """
  }

  // [model-check-4]
  @Test("an inverse that does not match the relationship is an error")
  func inverseThatDoesNotMatchTheRelationship() {
    let good = (first: "inverseName='a' inverseEntity='B'", second: "inverseName='b' inverseEntity='A'")
    #expect(errors(pair(good.first, good.second)) == [])
    let half = "has half an inverse: inverseName and inverseEntity belong together"
    #expect(errors(pair("inverseName='a'", "")) == ["A.b \(half)"])
    #expect(errors(pair("", "inverseEntity='A'")) == ["B.a \(half)"])
    #expect(errors(pair("inverseName='x' inverseEntity='B'", "")) == ["A.b has an unknown inverse 'B.x'"])
    #expect(
      errors(pair("inverseName='a' inverseEntity='X'", "")) == [
        "A.b has an inverse of 'X', which is neither its destination B nor a parent of it"
      ])
    #expect(
      errors(pair("inverseName='a' inverseEntity='C'", good.second)) == [
        "A.b has an inverse of 'C', which is neither its destination B nor a parent of it"
      ])
    #expect(
      errors(pair("inverseName='c' inverseEntity='B'", good.second)).first
        == "A.b has the inverse B.c, which leads to B")
    #expect(errors(pair(good.first, "")) == ["A.b has the inverse B.a, which has none"])
    #expect(
      errors(
        """
        <entity name='A'><relationship name='b' destinationEntity='B' \(good.first)/>
        <relationship name='d' destinationEntity='B' \(good.first)/></entity>
        <entity name='B'><relationship name='a' destinationEntity='A' \(good.second)/></entity>
        """) == ["A.d has the inverse B.a, whose inverse is A.b"])
  }

  // [model-check-4]
  @Test("an inverse may be inherited, and a relationship without an inverse gives a warning")
  func inheritedInverse() {
    let elements = """
      <entity name='A'><relationship name='b' destinationEntity='C' inverseName='a' inverseEntity='B'/></entity>
      <entity name='B'><relationship name='a' destinationEntity='A' inverseName='b' inverseEntity='A'/></entity>
      <entity name='C' parentEntity='B'/>
      """
    #expect(ModelText.problems(elements) == [])
    #expect(
      ModelText.problems("<entity name='A'><relationship name='a' destinationEntity='A'/></entity>")
        == ["contents:3:18: warning: A.a has no inverse"])
  }

  // [model-check-5]
  @Test(
    "invalid properties, indexes and constraints are errors",
    arguments: [
      ("<attribute name='a' attributeType='Composite'/>", "A.a is composite; composite attributes are not supported"),
      ("<attribute name='a' attributeType='ObjectID'/>", "A.a has an unknown type 'ObjectID'"),
      ("<attribute name='a' attributeType='String' derived='YES'/>", "A.a is derived and has no expression"),
      (
        "<attribute name='a' attributeType='Integer 16' defaultValueString='32768'/>",
        "A.a: the default '32768' is no value of type Integer 16"
      ),
      (
        "<attribute name='a' attributeType='Double' defaultValueString='1e309'/>",
        "A.a: the default '1e309' is no value of type Double"
      ),
      (
        "<attribute name='a' attributeType='UUID' defaultValueString='E621E1F8-C36C-495A-93FC-0C247A3E6E5'/>",
        "A.a: the default 'E621E1F8-C36C-495A-93FC-0C247A3E6E5' is no value of type UUID"
      ),
      (
        "<attribute name='a' attributeType='String' minValueString='x'/>",
        "A.a: the bound 'x' is no length"
      ),
      (
        "<attribute name='a' attributeType='Integer 32' minValueString='2' maxValueString='1'/>",
        "A.a: the least value is above the greatest"
      ),
      (
        "<attribute name='a' attributeType='Date' minDateTimeInterval='2' maxDateTimeInterval='1'/>",
        "A.a: the earliest date is after the latest"
      ),
      (
        "<attribute name='a' attributeType='Date' defaultDateTimeInterval='today'/>",
        "defaultDateTimeInterval is 'today'; it must be a number of seconds"
      ),
      (
        "<attribute name='a' attributeType='Transformable' customClassName='X; import Y'/>",
        "A.a: 'X; import Y' is no name of a type"
      ),
      ("<relationship name='a' destinationEntity='A' deletionRule='Keep'/>", "A.a has an unknown deletion rule 'Keep'"),
      ("<relationship name='a' destinationEntity='A' ordered='YES'/>", "A.a leads to one object and can't be ordered"),
      (
        "<relationship name='a' destinationEntity='A' toMany='YES' minCount='2' maxCount='1'/>",
        "A.a has a least count above its greatest"
      ),
      ("<relationship name='a' destinationEntity='A' minCount='-1'/>", "minCount is '-1'; it must be a number from 0"),
      ("<fetchedProperty name='a'/>", "A.a has 0 fetch requests; a fetched property has one"),
      ("<fetchIndex/>", "<fetchIndex> has no name"),
      (
        "<fetchIndex name='i'><fetchIndexElement/></fetchIndex>",
        "the index i has an element without property or expression"
      ),
      (
        "<fetchIndex name='i'><fetchIndexElement property='a' type='Tree'/></fetchIndex>",
        "the index i has an unknown type 'Tree'"
      ),
      (
        "<uniquenessConstraints><uniquenessConstraint/></uniquenessConstraints>",
        "a uniqueness constraint names no attribute"
      ),
    ])
  func invalidPropertiesIndexesAndConstraints(_ property: String, _ expected: String) {
    #expect(errors("<entity name='A'>\(property)</entity>") == [expected])
  }

  // [model-check-5]
  @Test("an unknown code generation, or an invalid fetch request, is an error")
  func unknownCodeGenerationOrAnInvalidFetch() {
    #expect(
      errors("<entity name='A' codeGenerationType='struct'/>")
        == ["the code generation of A is 'struct'; it can be class or category"])
    #expect(
      errors("<entity name='A'/><fetchRequest name='f' entity='A' resultType='4'/>")
        == ["the fetch request f has an unknown result type 4"])
    #expect(errors("<fetchRequest name='f'/>") == ["<fetchRequest> must have a name and an entity"])
  }

  // [model-check-6]
  @Test(
    "reading time of a large model grows linearly with its length",
    arguments: ["chain", "twins", "inverses", "inherited", "members", "constraints", "unknown"])
  func readingTimeOfALargeModelGrows(_ kind: String) {
    let count = 20_000
    let repeated = { (piece: (Int) -> String) in (0..<count).map(piece).joined(separator: "\n") }
    let text =
      switch kind {
      case "chain": repeated { "<entity name='A\($0)' parentEntity='A\($0 + 1)'/>" }
      case "twins": repeated { _ in "<entity name='A'/>" }
      case "inverses":
        "<entity name='A'>"
          + repeated {
            "<relationship name='a\($0)' destinationEntity='A' inverseName='a\($0)' inverseEntity='A'/>"
          } + "</entity>"
      case "inherited":
        "<entity name='A'>" + repeated { "<attribute name='a\($0)' attributeType='String'/>" } + "</entity>"
          + repeated { "<entity name='A\($0)' parentEntity='A'><attribute name='b' attributeType='String'/></entity>" }
      case "members":
        "<configuration name='C'>" + repeated { "<memberEntity name='A\($0)'/>" } + "</configuration>"
      case "constraints":
        "<entity name='A'><uniquenessConstraints><uniquenessConstraint>" + repeated { "<constraint value='a\($0)'/>" }
          + "</uniquenessConstraint></uniquenessConstraints></entity>"
      default: repeated { "<x\($0)/>" }
      }
    let time = processorTime { _ = ModelText.problems(text) }
    #expect(time < .seconds(20))
  }

  // [model-check-6]
  @Test("5000 randomly changed models give an error, or a model with valid references")
  func randomlyChangedModelsGiveAnError() {
    let model = SampleModel.model
    var random = SeededGenerator(seed: TestSeed.value(1))
    let original = Array(model.utf8)
    var good = 0
    for _ in 0..<5000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, &random) }
      do throws(ModelFailure) {
        let model = try ModelReader.read(bytes, file: "contents").model
        good += 1
        #expect(model.entities.allSatisfy { $0.parent.map { model.entity($0) != nil } ?? true })
        #expect(model.entities.flatMap(\.relationships).allSatisfy { model.entity($0.destination) != nil })
      } catch {
        #expect(!error.errors.isEmpty)
        #expect(error.problems.allSatisfy { ($0.position?.line ?? 0) > 0 && !$0.message.isEmpty })
      }
    }
    #expect(good > 200)
  }

  /// Removes, repeats or moves a part of the text, or replaces a byte.
  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let start = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
    let piece = bytes[start..<end]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange(start..<end)
    case 1: bytes.insert(contentsOf: Array(piece), at: start)
    case 2:
      bytes.removeSubrange(start..<end)
      bytes.insert(contentsOf: Array(piece), at: Int.random(in: 0...bytes.count, using: &random))
    default: bytes[start] = UInt8.random(in: .min ... .max, using: &random)
    }
    if bytes.isEmpty { bytes = [0x20] }
  }
}
