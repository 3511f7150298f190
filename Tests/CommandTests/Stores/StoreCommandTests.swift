import FaultInjection
import LocalCloudCommands
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The commands store list, show, history, metadata, check, repair and destroy")
struct StoreCommandTests {
  private let cli: Cli
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/private.sqlite" }

  init() throws {
    cli = try Cli("alice")
    folder = try TemporaryFolder("stores")
    var person = StoreSchema.Declaration(name: "Person")
    person.attributes = [.init(name: "name", type: .string), .init(name: "photo", type: .binary, isExternal: true)]
    person.relationships = [
      .init(name: "boss", destination: "Person", isToMany: false, inverse: "staff"),
      .init(name: "staff", destination: "Person", isToMany: true, inverse: "boss"),
    ]
    let store = try ObjectStore(path, schema: StoreSchema([person]))
    _ = try store.write { transaction in
      let ids = (0..<2).map { _ in transaction.newID(of: 0) }
      let photo = try transaction.external([1, 2, 3])
      transaction.insert(
        StoredRow(id: ids[0], version: 0, attributes: [.string("Ann"), .external(photo)], toOnes: [nil]))
      transaction.insert(StoredRow(id: ids[1], version: 0, attributes: [.string("Bob"), .null], toOnes: [ids[0]]))
    }
  }

  private func run(_ words: String...) -> ToolRun { cli.run(["store"] + words, as: "alice") }

  @Test("store list prints entities or objects, and store show an object with its related objects")
  func storeListPrintsEntitiesOrObjects() throws {
    #expect(run("list", path).output.contains("Person"))
    let entities = try JSONValue(parsing: run("list", path, "--json").output)
    #expect(entities["entities"] == [["name": "Person", "objects": 2]])
    let objects = try JSONValue(parsing: run("list", path, "Person", "--json").output)["objects"]?.array
    #expect(objects?.count == 2)
    let bob: JSONValue = [
      "object": "Person/2", "related": ["staff": []], "values": ["boss": "Person/1", "name": "Bob"], "version": 1,
    ]
    #expect(objects?.last == bob)
    let ann = try JSONValue(parsing: run("show", path, "Person/1", "--json").output)
    #expect(ann["related"] == ["staff": ["Person/2"]])
    #expect(ann["values"]?["name"]?.string == "Ann")
    #expect(run("show", path, "Person/1").output.contains("Ann"))
  }

  @Test("text output shows dates as text, and bytes by size and digest; JSON has the stored values")
  func textOutputShowsDatesAsText() throws {
    var note = StoreSchema.Declaration(name: "Note")
    note.attributes = [
      .init(name: "color", type: .transformable), .init(name: "far", type: .date), .init(name: "when", type: .date),
    ]
    note.relationships = [
      .init(name: "parts", destination: "Note", isToMany: true, inverse: "whole"),
      .init(name: "whole", destination: "Note", isToMany: false, inverse: "parts"),
    ]
    let path = folder.path + "/notes.sqlite"
    let store = try ObjectStore(path, schema: StoreSchema([note]))
    let archive = [UInt8](0..<100)
    _ = try store.write { transaction in
      let ids = (0..<5).map { _ in transaction.newID(of: 0) }
      transaction.insert(
        StoredRow(id: ids[0], version: 0, attributes: [.binary(archive), .date(1e300), .date(0.5)], toOnes: [nil]))
      for id in ids.dropFirst() {
        transaction.insert(StoredRow(id: id, version: 0, attributes: [.null, .null, .null], toOnes: [ids[0]]))
      }
    }
    let digest = "100 bytes, \(Digest.hex128(archive))"
    let list = run("list", path, "Note").output.split(separator: "\n")
    #expect(list.count == 6)
    #expect(
      list[1].hasSuffix(
        "'color=\(digest)' far=1e+300 when=2001-01-01T00:00:00.500Z 'parts=Note/2, Note/3, Note/4 and 1 more'"))
    #expect(list[2].hasSuffix("  whole=Note/1"))
    let show = run("show", path, "Note/1").output
    #expect(show.contains("color    \(digest)\n"))
    #expect(show.contains("when     2001-01-01T00:00:00.500Z\n"))
    #expect(show.contains("parts    Note/2, Note/3, Note/4, Note/5\n"))
    let values = try JSONValue(parsing: run("show", path, "Note/1", "--json").output)["values"]
    #expect(values?["when"]?.double == 0.5)
    #expect(values?["color"]?.string == archive.base64Text)
  }

  @Test("store check reports no problem or lists the problems")
  func storeCheckReportsNoProblemOrLists() throws {
    let clean = run("check", path)
    #expect(clean.code == .success)
    #expect(clean.output == "no problems found\n")
    try Directory.open(path: path, in: FileSystem()).directory("binaries").writeStaged("stray", [])
    let found = run("check", path, "--json")
    #expect(found.code == .problemsFound)
    #expect(try JSONValue(parsing: found.output)["problems"]?.array?.count == 1)
  }

  @Test("store check names an invalid line and the repair command, and store repair sets the line aside")
  func storeCheckNamesAnInvalidLine() throws {
    #expect(run("repair", path).output == "nothing to repair\n")
    #expect(try JSONValue(parsing: run("repair", path, "--json").output)["problems"] == [])
    let folder = try Directory.open(path: path, in: FileSystem())
    let directory = try folder.directory("objects").directory("Person")
    let segment = try #require(try directory.entries().first?.name)
    try directory.file(segment, .readWrite).write(Array("x".utf8), at: 0)
    try folder.directory(".index").remove("index")
    let check = run("check", path)
    #expect(check.code == .problemsFound)
    #expect(check.output.contains("the line at byte 0 is not a row"))
    #expect(check.error.contains("store repair"))
    let list = run("list", path, "Person")
    #expect(list.code == .storage)
    #expect(list.output == "")
    #expect(list.error.contains("store repair"))
    #expect(list.error.contains("the line at byte 0"))
    // The relationship "staff" needs the damaged table.
    #expect(run("show", path, "Person/2").code == .storage)
    let repair = run("repair", path, "--json")
    #expect(repair.code == .success)
    #expect(run("show", path, "Person/2").code == .success)
    let problems = try JSONValue(parsing: repair.output)["problems"]?.array ?? []
    let line = try #require(problems.first)
    #expect(line["state"] == "repaired")
    #expect(line["kind"] == "damage")
    #expect(line["path"]?.string == directory.path(of: segment))
    #expect(line["message"]?.string?.hasPrefix("the line at byte 0 is not a row: it is in aside/") == true)
    // The first line was Ann's, with a photo that no other object uses.
    #expect(problems.contains { $0["message"]?.string?.hasPrefix("no object uses it: it is in aside/") == true })
    #expect(problems.allSatisfy { $0["state"] == "repaired" })
  }

  @Test("store check and store repair report a damaged store.json that cannot be repaired")
  func storeCheckAndStoreRepairReport() throws {
    let folder = try Directory.open(path: path, in: FileSystem())
    try folder.writeStaged("store.json", Array("{}".utf8))
    for command in ["check", "repair"] {
      let run = run(command, path)
      #expect(run.code == .problemsFound, "\(command)")
      #expect(run.output.contains("it is no description of a store, and can't be made anew"), "\(command)")
      #expect(run.output.contains(path + "/store.json"), "\(command)")
    }
    let problem = try JSONValue(parsing: run("repair", path, "--json").output)["problems"]?.array?.first
    #expect(problem?["state"] == "left")
    #expect(run("list", path).code == .notFound)
    #expect(run("repair", self.folder.path + "/none").code == .notFound)
    #expect(run("repair", self.folder.path).code == .notFound)
  }

  @Test("every store command accepts a path that leads to the store through its subfolders")
  func everyStoreCommandAcceptsAPath() throws {
    let commands = [
      ["list"], ["show", "Person/1"], ["history"], ["sync"], ["events"], ["metadata"], ["check"], ["repair"],
    ]
    for words in commands {
      for other in ["/.", "/", "/objects/..", "/objects/../"] {
        let run = cli.run(["store", words[0], path + other] + words.dropFirst(), as: "alice")
        #expect(run.code == .success, "\(words) \(other): \(run.error)")
      }
      let none = cli.run(["store", words[0], path + "/.."] + words.dropFirst(), as: "alice")
      #expect(none.code == .notFound, "\(words)")
      #expect(none.error.contains("is not a store"), "\(words)")
    }
    #expect(run("destroy", path + "/.", "--yes").code == .success)
    #expect(run("list", path).code == .notFound)
  }

  @Test("store history prints transactions with a token, and those after a token")
  func storeHistoryPrintsTransactionsWithAToken() throws {
    let store = try ObjectStore.stored(path, isReadOnly: false)
    let first = try JSONValue(parsing: run("history", path, "--json").output)
    let inserted = first["transactions"]?.array?.first?["inserted"]
    #expect(first["transactions"]?.array?.count == 1)
    #expect(inserted == ["Person/1", "Person/2"])
    let token = try #require(first["token"]?.integer)
    _ = try store.write { transaction in
      transaction.author = "app"
      try transaction.delete(RowID(entity: 0, number: 1))
      var bob = try #require(try transaction.row(RowID(entity: 0, number: 2)))
      bob.toOnes = [nil]
      try transaction.update(bob, changed: ["boss"])
    }
    let later = try JSONValue(parsing: run("history", path, "--since", "\(token)", "--json").output)
    let transaction = later["transactions"]?.array?.first
    #expect(later["transactions"]?.array?.count == 1)
    #expect(transaction?["author"]?.string == "app")
    #expect(transaction?["deleted"] == ["Person/1": [:]])
    #expect(transaction?["updated"] == ["Person/2": ["boss"]])
    let one = try JSONValue(parsing: run("history", path, "--limit", "1", "--json").output)
    #expect(one["transactions"] == first["transactions"])
    #expect(one["token"] == first["transactions"]?.array?[0]["transaction"])
    let text = run("history", path).output
    #expect(text.contains("app"))
    #expect(text.contains("token \(later["token"]?.integer ?? 0)"))
    try store.purgeHistory(through: token)
    #expect(run("history", path, "--since", "0").code == .notFound)
    #expect(try JSONValue(parsing: run("history", path, "--json").output)["transactions"]?.array?.count == 1)
  }

  @Test("store metadata prints the store's UUID, metadata and schema")
  func storeMetadataPrintsTheStoresUUIDMetadata() throws {
    let store = try ObjectStore.stored(path, isReadOnly: false)
    try store.setMetadata(["app": "Posts"])
    let document = try JSONValue(parsing: run("metadata", path, "--json").output)
    #expect(document["uuid"]?.string == store.identifier)
    #expect(document["metadata"] == ["app": "Posts"])
    #expect(document["schema"]?["Person"]?["attributes"]?["name"]?["type"]?.string == "string")
    #expect(run("metadata", path).output.contains("Posts"))
  }

  @Test("store destroy asks for confirmation and removes only stores")
  func storeDestroyAsksForConfirmationAndRemoves() throws {
    #expect(run("destroy", path).code == .usage)
    let parent = try Directory.open(path: folder.path, in: FileSystem())
    #expect(try parent.exists("private.sqlite"))
    #expect(run("destroy", path, "--yes").code == .success)
    #expect(try !parent.exists("private.sqlite"))
    #expect(run("destroy", path, "--yes").code == .notFound)
    try parent.makeDirectory("letters")
    try parent.directory("letters").writeStaged("one", [1])
    #expect(run("destroy", folder.path + "/letters", "--yes", "--force").code == .notFound)
    #expect(try parent.directory("letters").exists("one"))
  }

  @Test("missing stores, objects and entities, and files that are not stores, are reported as not found")
  func missingStoresObjectsAndEntitiesAndFiles() throws {
    #expect(run("list", folder.path + "/none.sqlite").code == .notFound)
    #expect(run("list", folder.path).code == .notFound)
    #expect(run("list", path, "Nobody").code == .notFound)
    #expect(run("show", path, "Person/9").code == .notFound)
    #expect(run("show", path, "nonsense").code == .notFound)
    try folder.directory.writeStaged("real.sqlite", Array("SQLite format 3\u{0}".utf8))
    let refused = run("check", folder.path + "/real.sqlite")
    #expect(refused.code == .notFound)
    #expect(refused.error.contains("is not a store"))
  }

  @Test(
    "a full disk ends with the exit code for storage and a hint to free space; a transient error ends with tryLater")
  func fullDisk() {
    let full = CommandFailure(ObjectStoreError.diskFull(path: "/data/private.sqlite/history.jsonl"))
    #expect(full.exitCode == .storage)
    #expect(full.exitCode.rawValue == 19)
    #expect(full.code == "diskFull")
    #expect(full.path == "/data/private.sqlite/history.jsonl")
    #expect(full.hint?.contains("free space") == true)
    let busy = CommandFailure(ObjectStoreError.storage(path: "/data", reason: "it is locked", isTransient: true))
    #expect(busy.exitCode == .tryLater)
  }
}
