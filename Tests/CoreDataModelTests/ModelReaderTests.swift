import LocalCloudCoreDataModel
import Testing

@Suite("Reading of models")
struct ModelReaderTests {
  // [model-file-3]
  @Test("a complete model is read with its entities in the file's order, also if a parent follows its child")
  func completeModelIsReadWithItsEntities() throws {
    let reading = try ModelText.read(
      """
      <entity name="Song" representedClassName=".Song" parentEntity="Work" syncable="YES" codeGenerationType="class"
        elementID="Tune" versionHashModifier="2" coreSpotlightDisplayNameExpression="title">
        <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Album"
          inverseName="songs" inverseEntity="Album"/>
      </entity>
      <entity name="Work" representedClassName="Work" isAbstract="YES" codeGenerationType="category">
        <attribute name="title" attributeType="String"/>
        <userInfo><entry key="a" value="1"/><entry key="b" value=""/></userInfo>
      </entity>
      <entity name="Album" parentEntity="Work">
        <relationship name="songs" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Song"
          inverseName="album" inverseEntity="Song"/>
      </entity>
      <elements><element name="Song" positionX="0" positionY="1" width="2" height="3"/></elements>
      """,
      attributes: " userDefinedModelVersionIdentifier=\"v1\" usedWithCloudKit=\"YES\" minimumToolsVersion=\"Automatic\""
    )
    #expect(reading.warnings == [])
    let model = reading.model
    #expect(model.versionName == "Model")
    #expect(model.versionIdentifier == "v1")
    #expect(model.usedWithCloudKit)
    #expect(model.entities.map(\.name) == ["Song", "Work", "Album"])
    let song = try #require(model.entity("Song"))
    #expect(song.parent == "Work")
    #expect(!song.isAbstract)
    #expect(song.codeGeneration == .class)
    #expect(song.renamingIdentifier == "Tune")
    #expect(song.versionHashModifier == "2")
    let work = try #require(model.entity("Work"))
    #expect(work.isAbstract)
    #expect(work.codeGeneration == .category)
    #expect(work.userInfo == ["a": "1", "b": ""])
    #expect(model.entity("Album")?.codeGeneration == .manual)
    #expect(model.entity("Missing") == nil)
  }

  // [model-file-3]
  @Test(
    "flags are read from all their spellings",
    arguments: [("YES", true), ("true", true), ("NO", false), ("false", false), ("", false)] as [(String, Bool)])
  func flagsAreReadFromAllTheirSpellings(_ text: String, _ flag: Bool) throws {
    let model = try ModelText.read("", attributes: " usedWithCloudKit=\"\(text)\"").model
    #expect(model.usedWithCloudKit == flag)
  }

  // [model-file-5]
  @Test(
    "attribute types have Apple's raw values",
    arguments: [
      ("Integer 16", 100), ("Integer 32", 200), ("Integer 64", 300), ("Decimal", 400), ("Double", 500), ("Float", 600),
      ("String", 700), ("Boolean", 800), ("Date", 900), ("Binary", 1000), ("UUID", 1100), ("URI", 1200),
      ("Transformable", 1800), ("Undefined", 0), ("", 0),
    ] as [(String, UInt)])
  func attributeTypesHaveApplesRawValues(_ name: String, _ number: UInt) throws {
    let entity = try ModelText.entity("<attribute name=\"a\" transient=\"YES\" attributeType=\"\(name)\"/>")
    #expect(entity.attributes.map(\.type.rawValue) == [number])
  }

  // [model-file-3]
  @Test("omitted settings of an attribute are false or nil")
  func bareAttribute() throws {
    let attribute = ModelAttribute(name: "a", type: .string)
    #expect(try ModelText.entity("<attribute name=\"a\" attributeType=\"String\"/>").attributes == [attribute])
    #expect(!attribute.isOptional)
    #expect(!attribute.usesScalarValue)
    #expect(attribute.defaultValue == nil)
  }

  // [model-file-6] [model-file-7]
  @Test("all settings of attributes are read")
  func allSettingsOfAttributesAreRead() throws {
    let entity = try ModelText.entity(
      """
      <attribute name="a" optional="YES" transient="YES" attributeType="String" defaultValueString="" minValueString="1"
        maxValueString="20" regularExpressionString="[a-z]*" usesScalarValueType="YES" allowsCloudEncryption="YES"
        preserveAfterDeletion="YES" renamingIdentifier="b" versionHashModifier="c" spotlightIndexingEnabled="YES"
        syncable="YES" indexed="YES"><userInfo><entry key="k" value="v"/></userInfo></attribute>
      <attribute name="d" attributeType="Date" defaultDateTimeInterval="700000000" minDateTimeInterval="-1.5"
        maxDateTimeInterval="800000000"/>
      <attribute name="e" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="f" attributeType="Transformable" valueTransformerName="" customClassName="[String: [Int]]"/>
      <attribute name="g" attributeType="Integer 64" defaultValueString="" derived="YES" derivationExpression="f.@count"/>
      """)
    var attributes = [ModelAttribute(name: "a", type: .string)]
    attributes[0].isOptional = true
    attributes[0].isTransient = true
    attributes[0].defaultValue = ""
    attributes[0].minValue = "1"
    attributes[0].maxValue = "20"
    attributes[0].regularExpression = "[a-z]*"
    attributes[0].usesScalarValue = true
    attributes[0].allowsCloudEncryption = true
    attributes[0].preservesValueInHistoryOnDeletion = true
    attributes[0].renamingIdentifier = "b"
    attributes[0].versionHashModifier = "c"
    attributes[0].userInfo = ["k": "v"]
    attributes.append(ModelAttribute(name: "d", type: .date))
    attributes[1].defaultDateInterval = 700_000_000
    attributes[1].minDateInterval = -1.5
    attributes[1].maxDateInterval = 800_000_000
    attributes.append(ModelAttribute(name: "e", type: .binaryData))
    attributes[2].allowsExternalBinaryDataStorage = true
    attributes.append(ModelAttribute(name: "f", type: .transformable))
    attributes[3].customClassName = "[String: [Int]]"
    attributes.append(ModelAttribute(name: "g", type: .integer64))
    attributes[4].derivationExpression = "f.@count"
    #expect(entity.attributes == attributes)
  }

  // [model-file-6]
  @Test(
    "default values are accepted if they are valid for their types",
    arguments: [
      ("Integer 16", "-32768"), ("Integer 32", "0.0"), ("Integer 64", "9223372036854775807"), ("Decimal", "1.50"),
      ("Double", "1e3"), ("Float", "-0"), ("Boolean", "YES"), ("Boolean", "NO"), ("String", "  "),
      ("UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), ("URI", "https://example.org/"),
    ])
  func defaultValuesAreAcceptedIfThey(_ type: String, _ value: String) throws {
    let entity = try ModelText.entity(
      "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(value)\"/>")
    #expect(entity.attributes[0].defaultValue == value)
  }

  // [model-file-6]
  @Test(
    "an invalid default is read as NSString reads numbers, with a warning",
    arguments: [
      ("Integer 16", "NO", "0"), ("Integer 64", "1.5", "1"), ("Integer 32", " 7 days", "7"),
      ("Integer 16", "0x10", "0"),
      ("Boolean", "0.0", "NO"), ("Boolean", "maybe", "NO"), ("Boolean", "Yes", "YES"), ("Boolean", " 02", "YES"),
      ("Double", "NO", "0.0"), ("Double", "1.5 km", "1.5"), ("Float", ".5e1x", "5.0"), ("Double", "inf", "0.0"),
    ])
  func lenientDefaults(_ type: String, _ value: String, _ reading: String) throws {
    let read = try ModelText.read(
      "<entity name='A'><attribute name='a' attributeType='\(type)' defaultValueString='\(value)'/></entity>")
    #expect(
      read.warnings.map(\.message).contains(
        "A.a: the default '\(value)' is no value of type \(type), and read as \(reading)"),
      "\(read.warnings)")
    switch type {
    case "Boolean": #expect((DefaultText.boolean(value) ? "YES" : "NO") == reading)
    case "Double", "Float": #expect("\(DefaultText.double(value))" == reading)
    default: #expect(DefaultText.integer(value).map { "\($0)" } == reading)
    }
  }

  // [model-file-5]
  @Test("a class name with a leading point is read without the point")
  func customClass() throws {
    let entity = try ModelText.entity("<attribute name='a' attributeType='Transformable' customClassName='.NSArray'/>")
    #expect(entity.attributes[0].customClassName == "NSArray")
  }

  // [model-file-9]
  @Test("a renaming identifier is read from both of its attributes")
  func renamingIdentifierIsRead() throws {
    let entity = try ModelText.entity(
      """
      <attribute name="a" attributeType="String" elementID="x"/>
      <attribute name="b" attributeType="String" renamingIdentifier="y" elementID="x"/>
      """)
    #expect(entity.attributes.map(\.renamingIdentifier) == ["x", "y"])
  }

  // [model-file-8]
  @Test("counts and deletion rules of relationships are read")
  func countsAndDeletionRulesOfRelationships() throws {
    let reading = try ModelText.read(
      """
      <entity name="Item">
        <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item"/>
        <relationship name="b" minCount="1" deletionRule="Deny" destinationEntity="Item"/>
        <relationship name="c" toMany="YES" minCount="2" maxCount="4" deletionRule="Cascade" destinationEntity="Item"/>
        <relationship name="d" toMany="YES" ordered="YES" deletionRule="No Action" destinationEntity="Item"
          transient="YES" renamingIdentifier="x" versionHashModifier="y">
          <userInfo><entry key="k" value="v"/></userInfo>
        </relationship>
        <relationship name="e" destinationEntity="Item" inverseName="e" inverseEntity="Item"/>
      </entity>
      """)
    #expect(reading.warnings.count == 4)
    let relationships = reading.model.entities[0].relationships
    #expect(relationships.map(\.minCount) == [0, 1, 2, 0, 0])
    #expect(relationships.map(\.maxCount) == [1, 1, 4, 0, 1])
    #expect(relationships.map(\.deleteRule) == [.nullify, .deny, .cascade, .noAction, .nullify])
    #expect(relationships.map(\.deleteRule.rawValue) == [1, 3, 2, 0, 1])
    #expect(relationships.map(\.isToMany) == [false, false, true, true, false])
    #expect(relationships[0].isOptional)
    #expect(!relationships[1].isOptional)
    #expect(relationships[3].isOrdered)
    #expect(relationships[3].isTransient)
    #expect(relationships[3].userInfo == ["k": "v"])
    #expect(relationships[3].renamingIdentifier == "x")
    #expect(relationships[3].versionHashModifier == "y")
    #expect(relationships[4].inverse == ModelRelationship.Inverse(name: "e", entity: "Item"))
  }

  // [model-file-10]
  @Test("fetch requests are read with all their settings")
  func fetchRequests() throws {
    let model = try ModelText.read(
      """
      <entity name="Item"/>
      <fetchRequest name="all" entity="Item"/>
      <fetchRequest name="some" entity="Item" predicateString="name == $NAME AND size &gt; 3" fetchLimit="10"
        fetchBatchSize="5" resultType="2" includesPendingChanges="YES" returnDistinctResults="YES"/>
      <fetchRequest name="more" entity="Item" resultType="1" includeSubentities="YES" returnObjectsAsFaults="YES"/>
      """
    ).model
    #expect(model.fetchRequests.map(\.predicate) == [nil, "name == $NAME AND size > 3", nil])
    #expect(model.fetchRequests.map(\.resultType) == [.managedObjects, .dictionaries, .managedObjectIDs])
    #expect(model.fetchRequests.map(\.includesSubentities) == [true, false, true])
    #expect(model.fetchRequests.map(\.includesPropertyValues) == [true, false, false])
    #expect(model.fetchRequests.map(\.includesPendingChanges) == [false, true, false])
    #expect(model.fetchRequests.map(\.returnsObjectsAsFaults) == [false, false, true])
    #expect(model.fetchRequests.map(\.returnsDistinctResults) == [false, true, false])
    #expect(model.fetchRequests.map(\.fetchLimit) == [0, 10, 0])
    #expect(model.fetchRequests[1].fetchBatchSize == 5)
  }

  // [model-file-11] [model-file-12]
  @Test("fetched properties, indexes, uniqueness constraints and configurations are read")
  func fetchedPropertiesIndexesUniqueness() throws {
    let reading = try ModelText.read(
      """
      <entity name="Parent"><attribute name="code" attributeType="String"/></entity>
      <entity name="Item" parentEntity="Parent">
        <attribute name="x" attributeType="Double"/>
        <fetchedProperty name="others" optional="YES" syncable="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Item" predicateString="x == $FETCH_SOURCE.x"/>
          <userInfo><entry key="k" value="v"/></userInfo>
        </fetchedProperty>
        <fetchIndex name="byX">
          <fetchIndexElement property="x" type="Binary" order="descending"/>
          <fetchIndexElement property="code" type="RTree" order="ascending"/>
          <fetchIndexElement expression="length:(code)" expressionType="Integer 64"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="x"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="x"/><constraint value="code"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Item"/><memberEntity name="Item"/></configuration>
      <configuration name="Local"><memberEntity name="Parent"/><memberEntity name="Item"/></configuration>
      """)
    #expect(reading.warnings == [])
    let item = try #require(reading.model.entity("Item"))
    let property = try #require(item.fetchedProperties.first)
    #expect(property.name == "others")
    #expect(property.isOptional)
    #expect(property.userInfo == ["k": "v"])
    #expect(property.fetchRequest.predicate == "x == $FETCH_SOURCE.x")
    #expect(property.fetchRequest.entity == "Item")
    let elements = try #require(item.fetchIndexes.first).elements
    #expect(
      elements.map(\.subject) == [.property("x"), .property("code"), .expression("length:(code)", type: .integer64)])
    #expect(elements.map(\.collation) == [.binary, .rTree, .binary])
    #expect(elements.map(\.isAscending) == [false, true, true])
    #expect(item.uniquenessConstraints == [["x", "code"], ["code"]])
    #expect(reading.model.configurations.map(\.name) == ["Cloud", "Local"])
    #expect(reading.model.configurations.map(\.usedWithCloudKit) == [true, false])
    #expect(reading.model.configurations.map(\.entities) == [["Item"], ["Parent", "Item"]])
  }

  // [model-file-13]
  @Test(
    "the module and the name of a class are read from the represented class name",
    arguments: [
      ("Foo", nil, "Foo", "App.Foo"), (".Foo", nil, "Foo", "App.Foo"), ("Other.Foo", "Other", "Foo", "Other.Foo"),
      ("A.B.Foo", "A.B", "Foo", "A.B.Foo"),
    ] as [(String, String?, String, String)])
  func classNames(_ text: String, _ module: String?, _ name: String, _ runtimeName: String) throws {
    let entity = try ModelText.entity("", attributes: " representedClassName=\"\(text)\"")
    let className = try #require(entity.className)
    #expect(className.module == module)
    #expect(className.name == name)
    #expect(className.runtimeName(in: "App") == runtimeName)
  }

  // [model-file-13]
  @Test(
    "an entity without a class name, or with NSManagedObject, has no class of its own",
    arguments: ["", "NSManagedObject", "CoreData.NSManagedObject", "."])
  func noClass(_ text: String) throws {
    let entity = try ModelText.entity("", attributes: " representedClassName=\"\(text)\"")
    #expect(entity.className == nil)
  }

  // [model-file-4]
  @Test("unknown elements and attributes are ignored with a warning")
  func unknownElementsAndAttributesAreIgnored() {
    let problems = ModelText.problems(
      """
      <entity name="Item" colour="red">
        <attribute name="a" attributeType="String" vectorSearchable="YES"/>
        <novelty><attribute name="b"/></novelty>
      </entity>
      <compositeAttribute name="Address"/>
      """)
    #expect(
      problems == [
        "contents:3:21: warning: <entity> has an unknown attribute colour",
        "contents:4:46: warning: <attribute> has an unknown attribute vectorSearchable",
        "contents:5:3: warning: <entity> has an unknown element <novelty>",
        "contents:7:1: warning: <model> has an unknown element <compositeAttribute>",
      ])
  }
}
