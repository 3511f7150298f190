import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The file format of an object store")
struct FormatTests {
  private typealias Sample = SampleStore

  private func text(_ folder: Directory, _ path: [String]) throws -> String {
    var directory = folder
    for component in path.dropLast() { directory = try directory.directory(component) }
    let bytes = try directory.contents(path.last ?? "") ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  private func segmentNames(_ folder: Directory, _ kind: String, _ table: String) throws -> [String] {
    let directory = try folder.directory(kind).directory(table)
    return try directory.entries().map(\.name).sorted { (Int($0.dropLast(6)) ?? 0) < (Int($1.dropLast(6)) ?? 0) }
  }

  // [store-4]
  @Test("the store writes objects, links, mirroring rows and history as the format description shows them")
  func storeWritesObjectsLinksMirroringRows() throws {
    try Sample.withPath("objects-lines") { path in
      let store = try Sample.open(path)
      let ids = try store.write { transaction in
        transaction.author = "app"
        let ids = [Sample.person, Sample.post, Sample.tag].map { transaction.newID(of: $0) }
        transaction.insert(Sample.row(ids[0], ["name": .string("Ann")]))
        var post = Sample.row(
          ids[1],
          [
            "title": .string("One"), "weight": .double(.infinity), "due": .date(7), "price": .decimal("1.50"),
            "ratio": .double(0.5), "isDone": .boolean(true), "extra": .binary([1, 2]), "rating": .integer(-1),
          ], ["author": ids[0]])
        post.positions = [2]
        transaction.insert(post)
        transaction.insert(Sample.row(ids[2]))
        try transaction.link(ids[1], Sample.relationship("tags", of: Sample.post), to: ids[2])
        try transaction.link(ids[2], Sample.relationship("posts", of: Sample.tag), to: ids[1], position: 3)
        transaction.put(MirrorRow(id: ids[1].number, key: "Z/1", values: ["a": 1]), in: .records)
        return ids
      }.result
      _ = try store.write { try $0.delete(ids[0]) }
      let folder = try Directory.open(path: path, in: FileSystem())
      let post = try text(folder, ["objects", "Post", try segmentNames(folder, "objects", "Post")[0]])
      let values =
        #""author":"Person/1","due":7.0,"extra":"AQI=","isDone":true,"price":"1.50","rating":-1,"ratio":0.5,"#
        + #""title":"One","weight":"inf""#
      let expected = #"{"id":2,"positions":{"author":2},"values":{"# + values + #"},"version":1}"#
      #expect(post == expected + "\n")
      let person = try text(folder, ["objects", "Person", try segmentNames(folder, "objects", "Person")[0]])
      let lines = #"{"id":1,"values":{"name":"Ann"},"version":1}"# + "\n" + #"{"deleted":true,"id":1}"#
      #expect(person == lines + "\n")
      let link = try text(folder, ["links", "Post.tags", try segmentNames(folder, "links", "Post.tags")[0]])
      let pair = #"{"from":"Post/2","id":4,"inversePosition":3,"to":"Tag/3"}"#
      #expect(link == pair + "\n")
      let record = try text(folder, ["mirroring", "records", try segmentNames(folder, "mirroring", "records")[0]])
      let row = #"{"id":2,"key":"Z/1","values":{"a":1}}"#
      #expect(record == row + "\n")
      let history = try text(folder, ["history.jsonl"]).split(separator: "\n").map {
        try JSONValue(parsing: String($0))
      }
      #expect(history.count == 2)
      let inserted: JSONValue = ["Person/1", "Post/2", "Tag/3"]
      #expect(history[0]["inserted"] == inserted)
      #expect(history[0]["author"]?.string == "app")
      let deleted: JSONValue = ["Person/1": [:]]
      #expect(history[1]["deleted"] == deleted)
      #expect(history[1]["bundle"]?.string == HostProcess.programName)
      for line in history { #expect(line["sequence"] == line["transaction"]) }
    }
  }

  // [store-31]
  @Test(
    "rows of the mirroring name their objects with the entity; rows without it get it when they are read",
    arguments: [true, false])
  func rowsNameTheirObjects(isNamed: Bool) throws {
    try Sample.withPath("objects-identity") { path in
      let store = try Sample.open(path)
      func location(_ name: String) -> RecordLocation { RecordLocation(.private, name) }
      let (post, tag) = try store.write { transaction in
        let (post, tag) = (transaction.newID(of: Sample.post), transaction.newID(of: Sample.tag))
        for id in [post, tag] { transaction.insert(Sample.row(id)) }
        let numbers = (0..<6).map { _ in transaction.newNumber() }
        let pair = LinkEntry(
          relationship: "Post.tags", forward: post, backward: tag, location: location("pair"),
          rows: Array(numbers[0..<3]))
        let waiting = WaitingEntry(
          number: numbers[3], target: location("none"), reference: .toOne(post, relationship: "author"))
        let former = FormerLocation(number: numbers[4], location: location("before"), subject: .object(tag))
        let pending = MirrorRow(
          id: numbers[5], key: StateKey.pending(tag), objects: [tag], values: ["object": .integer(tag.number)])
        for (row, table) in [
          (RecordEntry(id: post, location: location("post")).row, MirrorTable.records),
          (pair.mirrorRows[0], .links), (waiting.row, .waiting), (former.row, .state), (pending, .state),
        ] {
          var row = row
          if !isNamed { row.objects = [] }
          transaction.put(row, in: table)
        }
        return (post, tag)
      }.result
      let folder = try Directory.open(path: path, in: FileSystem())
      func lines(of table: String) throws -> String {
        try segmentNames(folder, "mirroring", table).map { try text(folder, ["mirroring", table, $0]) }.joined()
      }
      let name = #""objects":["Post/\#(post.number)"]"#
      #expect(try lines(of: "records").contains(name) == isNamed)
      let names = #""objects":["Post/\#(post.number)","Tag/\#(tag.number)"]"#
      #expect(try lines(of: "links").contains(names) == isNamed)
      try store.read { view in
        #expect(try view.record(of: post)?.id == post)
        #expect(try view.record(at: location("post"))?.id == post)
        let pairs = try view.links(of: post, isForward: true)
        #expect(pairs.map(\.forward) == [post] && pairs.map(\.backward) == [tag])
        let waiting = try view.rows(prefix: "", in: .waiting).compactMap { WaitingEntry($0)?.reference }
        #expect(waiting == [.toOne(post, relationship: "author")])
        let former = FormerLocation(try view.row(key: FormerLocation.key(location("before")), in: .state))
        #expect(former?.row.objects == [tag])
        #expect(try ExportCandidates(view).pending == [tag])
      }
      // The row's next version has the entity.
      _ = try store.write { transaction in
        var entry = try #require(try transaction.record(of: post))
        entry.sent = 7
        transaction.put(entry.row, in: .records)
      }
      #expect(try lines(of: "records").contains(name))
    }
  }

  // [store-31]
  @Test("a row without the entity of an object that was deleted names no object that exists")
  func rowOfADeletedObject() throws {
    try Sample.withPath("objects-identity-deleted") { path in
      let store = try Sample.open(path)
      let id = try insert(store, "red")
      _ = try store.write { transaction in
        var row = RecordEntry(id: id, location: RecordLocation(.private, "A")).row
        row.objects = []
        transaction.put(row, in: .records)
        try transaction.delete(id)
      }
      try store.read { view in
        let found = try #require(try view.record(of: id)?.id)
        #expect(found.number == id.number)
        #expect(try !view.exists(found))
        // The history knows the object as well: it is one candidate.
        #expect(try ExportCandidates(view).deleted.map(\.number) == [id.number])
      }
    }
  }

  // [store-11]
  @Test("the store ignores unknown members of a line and drops them when it writes the row's next version")
  func unknownMembers() throws {
    try Sample.withPath("objects-unknown") { path in
      // The name makes this line as long as the line that replaces it.
      let id = try insert(Sample.open(path), "red, but longer")
      let folder = try Directory.open(path: path, in: FileSystem())
      let segment = ["objects", "Tag", try #require(try segmentNames(folder, "objects", "Tag").first)]
      let line = #"{"id":1,"later":[2],"values":{"name":"red"},"version":1}"# + "\n"
      #expect(try text(folder, segment).utf8.count == line.utf8.count)
      try folder.directory("objects").directory("Tag").file(segment[2], .readWrite).write(Array(line.utf8), at: 0)
      let store = try Sample.open(path)
      #expect(try store.check() == [])
      #expect(try store.read { try $0.row(id)?.attributes } == Sample.row(id, ["name": .string("red")]).attributes)
      _ = try store.write { transaction in
        try transaction.update(Sample.row(id, ["name": .string("blue")]), changed: ["name"])
      }
      #expect(try text(folder, segment) == line + #"{"id":1,"values":{"name":"blue"},"version":2}"# + "\n")
      #expect(try Sample.open(path).check() == [])
    }
  }

  // [store-11] [store-12] [store-13]
  @Test("segments are bounded; the store removes obsolete lines, and tombstones together with the lines they delete")
  func segmentsAreBounded() throws {
    try Sample.withPath("objects-segments") { path in
      let store = try Sample.open(path)
      let folder = try Directory.open(path: path, in: FileSystem())
      let kept = try insert(store, "kept")
      // Inserts, updates and deletes an object repeatedly.
      for round in 0..<200 {
        let id = try insert(store, "passing \(round)")
        _ = try store.write { transaction in
          try transaction.update(Sample.row(id, ["name": .string("other \(round)")]), changed: ["name"])
        }
        _ = try store.write { try $0.delete(id) }
      }
      let names = try segmentNames(folder, "objects", "Tag")
      var size = 0
      for name in names {
        let directory = try folder.directory("objects").directory("Tag")
        let bytes = try #require(try directory.size(of: name))
        #expect(bytes < Sample.options.segmentLimits.full + 100)
        size += bytes
      }
      // The loop wrote 600 lines.
      #expect(size < 6_000)
      #expect(names.count < 10)
      #expect(try store.read { try $0.ids(of: Sample.tag) } == [kept])
      #expect(try Sample.open(path).check() == [])
    }
  }

  private func insert(_ store: ObjectStore, _ name: String) throws -> RowID {
    try store.write { transaction in
      let id = transaction.newID(of: Sample.tag)
      transaction.insert(Sample.row(id, ["name": .string(name)]))
      return id
    }.result
  }

  private func syncs(_ fileSystem: FileSystem, _ body: () throws -> Void) throws -> Int {
    let before = fileSystem.fileSyncs.load(ordering: .relaxed)
    try body()
    return fileSystem.fileSyncs.load(ordering: .relaxed) - before
  }

  @Test("a commit syncs once, and once more for each new binary and for the folder of binaries")
  func commitSyncsOnceAndOnceMore() throws {
    try Sample.withPath("objects-syncs") { path in
      var options = ObjectStore.Options()
      options.lockTimeout = 5
      let fileSystem = FileSystem()
      let store = try Sample.open(path, options: options, in: fileSystem)
      _ = try insert(store, "first")
      let single = try syncs(fileSystem) { _ = try insert(store, "second") }
      #expect(single == 1)
      let files = try syncs(fileSystem) {
        _ = try store.write { transaction in
          for number in 0..<3 {
            let body = try transaction.external([UInt8](repeating: UInt8(number), count: 100))
            transaction.insert(Sample.row(transaction.newID(of: Sample.post), ["body": .external(body)]))
          }
        }
      }
      #expect(files == 5)
      // A binary that is already stored needs no new file.
      let again = try syncs(fileSystem) {
        _ = try store.write { transaction in
          let body = try transaction.external([UInt8](repeating: 1, count: 100))
          transaction.insert(Sample.row(transaction.newID(of: Sample.post), ["body": .external(body)]))
        }
      }
      #expect(again == 1)
      #expect(try store.check() == [])
    }
  }
}
