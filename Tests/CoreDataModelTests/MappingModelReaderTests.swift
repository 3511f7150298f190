import FaultInjection
import LocalCloudCoreDataModel
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Mapping models are read")
struct MappingModelReaderTests {
  private static let paths = (source: "App/Bikes.xcdatamodeld/Bikes.xcdatamodel", destination: "Bikes 2.xcdatamodel")

  private static func file(_ fill: (inout MappingFile) -> Void) -> MappingFile {
    var file = MappingFile(from: paths.source, to: paths.destination)
    fill(&file)
    return file
  }

  private static func read(_ file: MappingFile) throws -> (model: MappingModel, warnings: [ModelProblem]) {
    try MappingModelReader.read(Array(file.text.utf8), file: "xcmapping.xml")
  }

  /// The problems of a file, errors or warnings.
  private static func problems(_ text: String) -> [String] {
    do throws(ModelFailure) {
      return try MappingModelReader.read(Array(text.utf8), file: "f").warnings.map(\.description)
    } catch { return error.problems.map(\.description) }
  }

  private static func problems(_ fill: (inout MappingFile) -> Void) -> [String] { problems(file(fill).text) }

  // [model-mapping-1] [model-mapping-2]
  @Test("with entities in the order of their numbers, and with names, types, policies and user information")
  func withEntitiesInTheOrder() throws {
    let (model, warnings) = try Self.read(
      Self.file { file in
        file.map("Bike", to: "Cycle", number: 3, attributes: [("bell", nil), ("make", nil)])
        file.map(
          "Bike", to: "Bike", number: 1, name: "Same", type: "Copy", relationships: [("owner", nil)],
          more: MappingFile.archive(.dictionary(["why": "new", "for": "Äpfel"]), "userinfodata"))
        file.map(nil, to: "Shop", number: 4)
        file.map("Lock", to: nil, number: 2, type: "Custom", policy: "App.Locks")
      })
    #expect(warnings == [])
    #expect(model.sourcePath == Self.paths.source)
    #expect(model.destinationPath == Self.paths.destination)
    #expect(model.entities.map(\.name) == ["Same", "Lock", "BikeToCycle", "Shop"])
    #expect(model.entities.map(\.kind) == [.copy, .custom, .undefined, .undefined])
    #expect(model.entities[0].userInfo == ["why": .string("new"), "for": .string("Äpfel")])
    #expect(model.entities[0].relationships.map(\.name) == ["owner"])
    #expect(model.entities[1].policyClassName == "App.Locks")
    #expect(model.entities[1].source == "Lock")
    #expect(model.entities[1].destination == nil)
    #expect(model.entities[2].attributes.map(\.name) == ["bell", "make"])
  }

  // [model-mapping-3] [model-mapping-4]
  @Test(
    "with their expressions",
    arguments: [
      (.constant(.text("Unknown")), .constant(.string("Unknown"))),
      (.constant(.number(-7)), .constant(.integer(-7))),
      (.constant(.null), .constant(.null)),
      (.constant(.date(12.5)), .constant(.date(12.5))),
      (.constant(.list([.text("a")])), .constant(.list([.string("a")]))),
      (.source("owner.name"), .keyPath(.variable("source"), ["owner", "name"])),
      (.function("now"), .function("now", [])),
      (.function("uppercase:", .source("name")), .function("uppercase:", [.keyPath(.variable("source"), ["name"])])),
      (
        .method(.variable("manager"), "some:other:", [.constant(.text("A")), .source("b")]),
        .method(.variable("manager"), "some:other:", [.constant(.string("A")), .keyPath(.variable("source"), ["b"])])
      ),
      (
        .object(
          "NSAggregateExpression", ["NSCollection": .list([.constant(.number(1)), .object("NSSelfExpression", [:])])]),
        .list([.constant(.integer(1)), .subject])
      ),
    ] as [(ArchivedObject, MappedExpression)])
  func withTheirExpressions(object: ArchivedObject, expression: MappedExpression) throws {
    let file = Self.file { $0.map("A", to: "B", attributes: [("a", object), ("b", nil)]) }
    let attributes = try Self.read(file).model.entities[0].attributes
    #expect(attributes[0].expression == expression)
    #expect(attributes[1].expression == nil)
    #expect(attributes[1].isGenerated)
  }

  // [model-mapping-5]
  @Test("problems are reported with their lines")
  func problemsAreReportedWithTheirLines() {
    #expect(Self.problems("<model/>").map { $0.prefix(14) } == ["f:1:1: error: "])
    #expect(
      Self.problems("<database></database>")
        == ["f:1:1: error: expected one object of the type XDDEVMAPPINGMODEL, and not 0"])
    #expect(
      Self.problems { $0.map("A", to: "B", type: "Other") } == [
        "f:9:1: error: the type of an entity mapping is 'Other'"
      ])
    #expect(
      Self.problems { $0.map("A", to: "B", type: "Custom") }
        == ["f:6:1: error: the custom mapping 'AToB' names no class of a migration policy"])
    #expect(
      Self.problems { $0.map(nil, to: nil) } == [
        "f:6:1: error: an entity mapping has neither a source nor a destination"
      ])
    let twice = Self.problems {
      $0.map("A", to: "B")
      $0.map("A", to: "B")
    }
    #expect(twice == ["f:15:1: error: an entity mapping 'AToB' is there already"])
    let unknown = Self.problems {
      $0.map("A", to: "B", more: "<attribute name=\"filter\" type=\"string\">x</attribute>")
    }
    #expect(unknown == ["f:12:1: warning: the attribute 'filter' of a mapping is not known, and ignored"])
    let kind = Self.problems { $0.map("A", to: "B", attributes: [("a", .object("NSBlockExpression", [:]))]) }
    #expect(
      kind == [
        "f:7:1: error: valueexpressiondata of 'a' can't be read: expressions of the class 'NSBlockExpression' are not supported"
      ])
    let text = Self.file { $0.map("A", to: "B") }.text
    #expect(
      Self.problems(text.replacing("idrefs=\"z103\"", with: "idrefs=\"z102\"")).first?.contains("names 'z102'") ?? false
    )
    let info = Self.problems {
      $0.map("A", to: "B", more: "<attribute name=\"userinfodata\" type=\"binary\">A*==</attribute>")
    }
    #expect(info == ["f:12:1: error: userinfodata can't be read: it is no text in base 64"])
  }

  // [model-mapping-5]
  @Test("an archive with any byte changed, and one that is cut off, is read or refused")
  func hostileArchives() throws {
    let archive = ArchiveWriter.bytes(
      of: .method(.variable("manager"), "some:other:", [.constant(.text("Ärger")), .source("a.b")]))
    func isRead(_ bytes: [UInt8]) -> Bool {
      (try? MappingModelReader.expression(in: bytes)) != nil
    }
    #expect(isRead(archive))
    for length in 0..<archive.count { #expect(!isRead(Array(archive.prefix(length)))) }
    for index in archive.indices {
      for change: UInt8 in [0x01, 0x0F, 0x80, 0xF0, 0xFF] {
        var bytes = archive
        bytes[index] ^= change
        _ = isRead(bytes)
      }
    }
  }

  // [model-mapping-5]
  @Test("an expression that is nested without end, or refers to itself, is refused")
  func endlessArchives() throws {
    var deep = ArchivedObject.source("a")
    for _ in 0..<200 { deep = .function("uppercase:", deep) }
    #expect(throws: (any Error).self) { try MappingModelReader.expression(in: ArchiveWriter.bytes(of: deep)) }
    // The reference to the constant becomes one to the expression that has it.
    var bytes = ArchiveWriter.bytes(
      of: .object("NSAggregateExpression", ["NSCollection": .list([.constant(.text("x"))])]))
    for index in bytes.indices.dropLast(2) where bytes[index] == 0x81 && bytes[index + 1] == 0 {
      bytes[index + 2] = min(bytes[index + 2], 1)
    }
    #expect(throws: (any Error).self) { try MappingModelReader.expression(in: bytes) }
  }

  // [model-mapping-5]
  @Test("an archive with any reference changed to any object is read or refused")
  func archiveWithAnyReferenceChanged() {
    let archive = ArchiveWriter.bytes(
      of: .constant(.list([.object("NSMutableString", ["NS.string": .text("a")]), .text("b")])))
    for index in archive.indices.dropLast(2) where archive[index] == 0x81 && archive[index + 1] == 0 {
      for number: UInt8 in 0..<16 {
        var bytes = archive
        bytes[index + 2] = number
        _ = try? MappingModelReader.expression(in: bytes)
      }
    }
  }

  // [model-mapping-5]
  @Test("a mapping that is named twice is refused, so that each is read once")
  func mappingThatIsNamedTwice() {
    let text = Self.file { $0.map("A", to: "B", attributes: [("a", .source("b"))]) }.text
    let ids = text.firstMatch(of: #/name="attributemappings"[^>]*idrefs="(z\d+)"/#)?.output.1 ?? ""
    #expect(!ids.isEmpty)
    let repeated = text.replacing("idrefs=\"\(ids)\"", with: "idrefs=\"\(ids) \(ids)\"")
    #expect(Self.problems(repeated).first?.contains("attributemappings names '\(ids)'") == true)
  }

  // [model-build-3]
  @Test("the compiler writes one file for a mapping model, without the copies of its models")
  func compilerWritesOneFileForAMapping() throws {
    let folder = try TemporaryFolder("mapping")
    let path = folder.path + "/One to \"Two\".xcmappingmodel"
    try Directory.make(path: path, in: FileSystem())
    let text = Self.file { $0.map("A", to: "B", attributes: [("a", .constant(.text("<&\\(x)\"#")))]) }.text
    let directory = try Directory.open(path: path, in: FileSystem())
    try directory.writeStaged("xcmapping.xml", Array(text.utf8))
    let package = try MappingModelPackage(path: path + "/")
    #expect(package.name == "One to \"Two\"")
    #expect(!package.contents.contains("modeldata"))
    let again = try MappingModelReader.read(Array(package.contents.utf8), file: "")
    #expect(again.model == package.model)
    func run() throws -> (status: Int32, errors: String) {
      let process = try ChildProcess(
        HostProcess.executableFolder + "/LocalCloudModelCompiler", ["App", path, folder.path + "/out"])
      return (process.wait(seconds: 60), process.errors)
    }
    #expect(try run() == (0, ""))
    let output = try Directory.open(path: folder.path + "/out", in: FileSystem())
    #expect(try output.entries().map(\.name) == [GeneratedFile.mapping(package).name])
    let contents = try output.contents(GeneratedFile.mapping(package).name)
    #expect(contents == Array(GeneratedFile.mapping(package).contents.utf8))
    try directory.writeStaged("xcmapping.xml", Array("<database>".utf8))
    let failure = try run()
    #expect(failure.status == 1)
    #expect(failure.errors == "\(path)/xcmapping.xml:1:1: error: <database> is not closed\n")
  }
}
