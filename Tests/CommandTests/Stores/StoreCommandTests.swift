import FaultInjection
import LocalCloudCommands
import ObjectStore
import Platform
import Storage
import Testing

@Suite("store list, show, history, metadata, check, destroy")
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

  @Test("list names entities, or objects; show one, with what it is related to")
  func reading() throws {
    #expect(run("list", path).output.contains("Person"))
    let entities = try JSONValue(parsing: run("list", path, "--json").output)
    #expect(entities["entities"] == [["name": "Person", "objects": 2]])
    let objects = try JSONValue(parsing: run("list", path, "Person", "--json").output)["objects"]?.array
    #expect(objects?.count == 2)
    let bob: JSONValue = ["object": "Person/2", "values": ["boss": "Person/1", "name": "Bob"], "version": 1]
    #expect(objects?.last == bob)
    let ann = try JSONValue(parsing: run("show", path, "Person/1", "--json").output)
    #expect(ann["related"] == ["staff": ["Person/2"]] && ann["values"]?["name"]?.string == "Ann")
    #expect(run("show", path, "Person/1").output.contains("Ann"))
  }

  @Test("check finds nothing, or says what; an app's store is left as it is")
  func checking() throws {
    let clean = run("check", path)
    #expect(clean.code == .success && clean.output == "no problems found\n")
    try Directory.open(path: path, in: FileSystem()).directory("binaries").writeStaged("stray", [])
    let found = run("check", path, "--json")
    #expect(found.code == .problemsFound)
    #expect(try JSONValue(parsing: found.output)["problems"]?.array?.count == 1)
  }

  @Test("history tells of transactions, up to a token and after it")
  func history() throws {
    let store = try ObjectStore.stored(path, isReadOnly: false)
    let first = try JSONValue(parsing: run("history", path, "--json").output)
    let inserted = first["transactions"]?.array?.first?["inserted"]
    #expect(first["transactions"]?.array?.count == 1 && inserted == ["Person/1", "Person/2"])
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
    #expect(later["transactions"]?.array?.count == 1 && transaction?["author"]?.string == "app")
    #expect(transaction?["deleted"] == ["Person/1": [:]] && transaction?["updated"] == ["Person/2": ["boss"]])
    let one = try JSONValue(parsing: run("history", path, "--limit", "1", "--json").output)
    #expect(
      one["transactions"] == first["transactions"] && one["token"] == first["transactions"]?.array?[0]["transaction"])
    let text = run("history", path).output
    #expect(text.contains("app") && text.contains("token \(later["token"]?.integer ?? 0)"))
    try store.purgeHistory(through: token)
    #expect(run("history", path, "--since", "0").code == .notFound)
    #expect(try JSONValue(parsing: run("history", path, "--json").output)["transactions"]?.array?.count == 1)
  }

  @Test("metadata says what a store is of")
  func metadata() throws {
    let store = try ObjectStore.stored(path, isReadOnly: false)
    try store.setMetadata(["app": "Posts"])
    let document = try JSONValue(parsing: run("metadata", path, "--json").output)
    #expect(document["uuid"]?.string == store.identifier && document["metadata"] == ["app": "Posts"])
    #expect(document["schema"]?["Person"]?["attributes"]?["name"]?["type"]?.string == "string")
    #expect(run("metadata", path).output.contains("Posts"))
  }

  @Test("destroy asks, removes a store, and nothing else")
  func destroying() throws {
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

  @Test("what is not there, or no store, is said")
  func failures() throws {
    #expect(run("list", folder.path + "/none.sqlite").code == .notFound)
    #expect(run("list", folder.path).code == .notFound)
    #expect(run("list", path, "Nobody").code == .notFound)
    #expect(run("show", path, "Person/9").code == .notFound)
    #expect(run("show", path, "nonsense").code == .notFound)
    try folder.directory.writeStaged("real.sqlite", Array("SQLite format 3\u{0}".utf8))
    let refused = run("check", folder.path + "/real.sqlite")
    #expect(refused.code == .notFound && refused.error.contains("is not a store"))
  }

  @Test(
    "a full disk ends with the code for storage, and the advice to free space; what waiting may mend with another one")
  func fullDisk() {
    let full = CommandFailure(ObjectStoreError.diskFull(path: "/data/private.sqlite/history.jsonl"))
    #expect(full.exitCode == .storage && full.exitCode.rawValue == 19)
    #expect(full.code == "diskFull")
    #expect(full.path == "/data/private.sqlite/history.jsonl")
    #expect(full.hint?.contains("free space") == true)
    let busy = CommandFailure(ObjectStoreError.storage(path: "/data", reason: "it is locked", isTransient: true))
    #expect(busy.exitCode == .tryLater)
  }
}
