import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization
import Testing

@Suite("Files that a repair moves, rebuilds or leaves")
struct ObjectStoreRepairFileTests {
  private typealias Sample = SampleStore

  // [store-30]
  @Test(
    "a repair names the rows of a missing, empty or truncated segment as far as the index has them",
    arguments: [nil, 0, 1])
  func repairNamesTheRowsOfAMissing(left: Int?) throws {
    try RepairStage.withStore { store, files, ids in
      let (directory, name) = try files.segment("objects/Tag")
      let lines = try files.lines("objects/Tag")
      if let left {
        try directory.file(name, .readWrite).truncate(to: lines[..<left].reduce(0) { $0 + $1.utf8.count + 1 })
        let names = ["Tag/1, Tag/2", "Tag/2"][left]
        #expect(try store.check().map(\.text) == ["it lacks lines that the index names: \(names)"])
      } else {
        try directory.remove(name)
        #expect(try store.check().map(\.text) == ["it is missing, with all its rows"])
      }
      let done = try RepairStage.repair(store)
      let lost = [ids.red, ids.blue].dropFirst(left ?? 0).map { "Tag/\($0.number) is lost" }
      #expect(done.contains("\(left == nil ? "it is missing" : "it lacks lines"): \(lost.joined(separator: ", "))"))
      #expect(try files.isAside(#""row":"Tag/2""#))
      #expect(try store.read { try $0.row(ids.post)?.version } == 1)
    }
  }

  // [store-30]
  @Test("an object whose deletion is in no file stays deleted if the index has the deletion", arguments: [true, false])
  func deletionByIndex(hasIndex: Bool) throws {
    try RepairStage.withStore { store, files, ids in
      _ = try store.write { try $0.delete(ids.red) }
      let (directory, name) = try files.segment("objects/Tag")
      let lines = try files.lines("objects/Tag")
      #expect(lines.last == #"{"deleted":true,"id":1}"#)
      try directory.writeStaged(name, Array((lines.dropLast().joined(separator: "\n") + "\n").utf8))
      try files.folder.remove("history.jsonl")
      if !hasIndex { try files.loseIndex() }
      _ = try RepairStage.repair(store)
      #expect(try (store.read { try $0.row(ids.red) } == nil) == hasIndex)
    }
  }

  // [store-30]
  @Test("a repair sets aside the complete contents of foreign files")
  func repairSetsAsideTheCompleteContents() throws {
    try RepairStage.withStore { store, files, _ in
      let folder = files.folder
      try folder.writeStaged("letter.txt", [1])
      try folder.directory("objects").makeDirectory("Nothing")
      try folder.directory("objects").directory("Nothing").writeStaged("1.jsonl", [2])
      try files.segment("objects/Tag").directory.writeStaged("a.jsonl", [3])
      try folder.directory("binaries").writeStaged("other", [4])
      #expect(try RepairStage.repair(store).count == 4)
      let aside = try files.aside().values.map { $0 }
      for byte in UInt8(1)...4 { #expect(aside.contains([byte])) }
    }
  }

  // [store-30]
  @Test("a repair sets aside folders and files of the wrong kind, and creates the right ones")
  func repairSetsAsideFoldersAndFiles() throws {
    try RepairStage.withStore { store, files, ids in
      try files.folder.removeTree(".index")
      try files.folder.writeStaged(".index", [1])
      try files.folder.remove("lock")
      try files.folder.makeDirectory("lock")
      try files.folder.directory(".journal").removeTree("staged")
      let report = try ObjectStore.repair(store.path, options: Sample.options)
      #expect(report.left == [])
      #expect(report.done.filter { $0.text.hasPrefix("it is not a f") }.count == 2)
      #expect(try RepairStage.name(Sample.open(store.path), ids.blue) == .string("navy"))
      #expect(try files.isAside("\u{1}"))
    }
  }

  // [store-30]
  @Test("a repair sets aside a binary with wrong contents and reports the missing binary as not repaired")
  func repairSetsAsideABinaryWithWrong() throws {
    try RepairStage.withStore { store, files, ids in
      let directory = try files.folder.directory("binaries")
      let name = try #require(try directory.entries().first?.name)
      try directory.file(name, .readWrite).write([9], at: 0)
      let report = try ObjectStore.repair(store.path, options: Sample.options)
      #expect(report.done.map(\.path) == [directory.path(of: name)])
      #expect(report.left.map(\.text) == ["it is missing"])
      #expect(try files.aside().values.contains([9, 2, 3]))
      #expect(try store.read { try $0.row(ids.post)?.version } == 1)
    }
  }

  // [store-30]
  @Test("a repair rebuilds a damaged index")
  func repairRebuildsADamagedIndex() throws {
    try RepairStage.withStore { store, files, ids in
      let index = try files.folder.directory(".index").file("index", .readWrite)
      // All pages except the first two, which locate the others.
      let rest = try index.size() - 2 * 8192
      try index.write([UInt8](repeating: 0xFF, count: rest), at: 2 * 8192)
      let done = try RepairStage.repair(store)
      #expect(done == ["made anew from the other files"])
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
    }
  }

  // [store-30]
  @Test("a repair sets aside a damaged journal and applies its undamaged entries")
  func repairSetsAsideADamagedJournal() throws {
    try RepairStage.withStore { store, files, ids in
      let journal = try files.folder.directory(".journal").file("log", .readWrite)
      let bytes = try journal.readAll()
      // A committed frame is damaged, and the files lack the frame behind it.
      let first = try #require(bytes.firstRange(of: Array("red".utf8)))
      try journal.write([0, 0, 0], at: first.lowerBound)
      try journal.write([UInt8](repeating: 0, count: 8), at: 0)
      let (directory, name) = try files.segment("objects/Tag")
      let lines = try files.lines("objects/Tag")
      try directory.writeStaged(name, Array((lines[..<2].joined(separator: "\n") + "\n").utf8))
      #expect(throws: ObjectStoreError.self) { try Sample.open(store.path).read { try $0.head() } }
      let report = try ObjectStore.repair(store.path, options: Sample.options)
      #expect(report.left == [])
      #expect(report.done.contains { $0.text.contains("emptied, a copy is in aside/") })
      // Lost entries have no lines in the history.
      #expect(report.done.contains { $0.text.hasPrefix("entries of a damaged journal are lost before byte") })
      let opened = try Sample.open(store.path)
      #expect(throws: ObjectStoreError.historyPurged) { try opened.read { try $0.history(after: 1) } }
      #expect(
        try RepairStage.name(opened, ids.blue) == .string("navy") && RepairStage.name(opened, ids.red) == .string("red")
      )
      #expect(try files.aside().values.contains { $0.firstRange(of: Array("navy".utf8)) != nil })
    }
  }

  // [store-30]
  @Test("undamaged entries of a damaged journal do not undo later changes that the files have")
  func journalOfEarlierEntries() throws {
    try RepairStage.withStore { store, files, ids in
      // An instance whose journal retains all entries.
      var options = Sample.options
      options.limits.checkpointBytes = 1 << 20
      let store = try Sample.open(store.path, options: options)
      for text in ["earlier", "later"] { try store.setMetadata(["text": .string(text)]) }
      _ = try store.write { transaction in
        var red = try #require(try transaction.row(ids.red))
        red.attributes[Sample.attributeIndex("name", of: Sample.tag)] = .string("rose")
        try transaction.update(red, changed: ["name"])
      }
      let journal = try files.folder.directory(".journal").file("log", .readWrite)
      let bytes = try journal.readAll()
      #expect(bytes.firstRange(of: Array("earlier".utf8)) != nil)
      let broken = try #require(bytes.firstRange(of: Array("later".utf8)))
      try journal.write([0, 0, 0], at: broken.lowerBound)
      // Without its header the journal counts as damaged, and the entries of all generations are read.
      try journal.write([UInt8](repeating: 0, count: 8), at: 0)
      let report = try ObjectStore.repair(store.path, options: Sample.options)
      #expect(report.left == [])
      #expect(report.done.contains { $0.text.contains("emptied, a copy is in aside/") })
      let opened = try Sample.open(store.path)
      #expect(try opened.metadata() == ["text": "later"])
      #expect(try RepairStage.name(opened, ids.red) == .string("rose"))
    }
  }

  // [store-30]
  @Test("a store without a valid description is not repaired or changed", arguments: [true, false])
  func storeWithoutAValidDescription(isMissing: Bool) throws {
    try RepairStage.withStore { store, files, _ in
      if isMissing { try files.folder.remove("store.json") } else { try files.folder.writeStaged("store.json", [1]) }
      try files.folder.writeStaged("letter.txt", [1])
      let before = try FolderImage(of: store.path)
      let report = try ObjectStore.repair(store.path)
      #expect(report.done == [])
      #expect(report.left.map(\.path) == [files.folder.path(of: "store.json")])
      #expect(report.left.first?.text.contains("can't be made anew: it holds the model") == true)
      #expect(try ObjectStore.documentProblem(store.path) == report.left.first)
      #expect(try FolderImage(of: store.path) == before)
      // A folder that contains no part of a store is reported missing.
      let other = String(store.path.dropLast("private.sqlite".count)) + "other"
      try Directory.make(path: other, in: FileSystem())
      #expect(throws: ObjectStoreError.missing(path: other)) { try ObjectStore.repair(other) }
      #expect(throws: ObjectStoreError.missing(path: other + "/none")) { try ObjectStore.repair(other + "/none") }
    }
  }

  // [store-30]
  @Test("if a file cannot be read, the repair changes nothing and reports that file")
  func ifAFileCannotBeRead() throws {
    try RepairStage.withStore { store, files, _ in
      let path = try files.path("objects/Person")
      try files.replace(0, of: "objects/Tag") { "x" + $0 }
      func visible() throws -> FolderImage {
        var image = try FolderImage(of: store.path)
        for name in [".index", ".journal"] { image.folders[name] = nil }
        image.files["lock"] = nil
        return image
      }
      let before = try visible()
      let fileSystem = FileSystem(observing: .allCalls) {
        $0 == .openFile(path) ? .fail(SystemError.accessDenied) : .proceed
      }
      let report = try ObjectStore.repair(store.path, options: Sample.options, in: fileSystem)
      #expect(report.done == [])
      #expect(report.left.contains { $0.isUnread && $0.path == path })
      #expect(try visible() == before)
    }
  }

  // [store-30]
  @Test("a repair of a store that another process has locked waits, then fails with a transient error")
  func repairOfAStoreThatAnotherProcess() throws {
    try RepairStage.withStore { store, files, _ in
      var options = Sample.options
      options.lockTimeout = 0.05
      let lock = try files.folder.file("lock", .readWrite)
      #expect(try lock.tryLock(.exclusive))
      defer { lock.unlock() }
      let error = #expect(throws: ObjectStoreError.self) { try ObjectStore.repair(store.path, options: options) }
      guard case .storage(_, _, isTransient: true)? = error else {
        Issue.record("\(error as Any)")
        return
      }
    }
  }

  // [store-30]
  @Test("a repair that moves files and then finds the store locked reports both")
  func lockedAfterMoves() throws {
    try RepairStage.withStore { store, files, _ in
      try files.folder.removeTree(".index")
      try files.folder.writeStaged(".index", [1])
      var options = Sample.options
      options.lockTimeout = 0.05
      let lock = try files.folder.file("lock", .readWrite)
      #expect(try lock.tryLock(.exclusive))
      let report = try ObjectStore.repair(store.path, options: options, at: RepairStage.time)
      lock.unlock()
      #expect(report.done.map(\.path) == [files.folder.path(of: ".index")])
      #expect(report.left.map(\.path) == [files.folder.path(of: "lock")])
      #expect(report.left.first?.text.hasSuffix("run the repair again when that has ended") == true)
      #expect(try ObjectStore.repair(store.path, options: options).left == [])
    }
  }

  // [store-30]
  @Test("of two concurrent repairs one moves the damaged entry, and neither moves the new file")
  func ofTwoConcurrentRepairsOneMoves() throws {
    try RepairStage.withStore { store, files, ids in
      try files.folder.remove("history.jsonl")
      try files.folder.makeDirectory("history.jsonl")
      // The other repair has finished when this one moves the entry that it found.
      let isFirst = Atomic(true)
      let fileSystem = FileSystem { call in
        if case .makeDirectory(let path) = call, path.hasSuffix(".making"),
          isFirst.exchange(false, ordering: .relaxed)
        {
          _ = try? ObjectStore.repair(store.path, options: Sample.options, at: RepairStage.time)
        }
        return .proceed
      }
      let report = try ObjectStore.repair(store.path, options: Sample.options, at: RepairStage.time, in: fileSystem)
      let hasRun = !isFirst.load(ordering: .relaxed)
      #expect(hasRun)
      #expect(report == RepairReport(done: [], left: []))
      #expect(try files.folder.kind(of: "history.jsonl") == .file)
      #expect(try RepairStage.name(store, ids.blue) == .string("navy"))
    }
  }

  // [store-30] [store-24]
  @Test("no process can take the mirroring lease during a repair, also where no process has taken it before")
  func noProcessCanTakeTheMirroringLease() throws {
    try RepairStage.withStore { store, files, _ in
      #expect(try !files.folder.directory(".journal").exists("mirroring"))
      try files.replace(0, of: "objects/Tag") { "x" + $0 }
      let acquisitions = Mutex<[Bool]>([])
      let fileSystem = FileSystem { call in
        if "\(call)".contains("notes.jsonl"), acquisitions.withLock({ $0.isEmpty }) {
          let other = try? Sample.open(store.path)
          acquisitions.withLock { $0.append(other.flatMap { try? MirroringLease($0).acquireIfFree() } != nil) }
        }
        return .proceed
      }
      #expect(try ObjectStore.repair(store.path, options: Sample.options, in: fileSystem).left == [])
      #expect(acquisitions.withLock { $0 } == [false])
      #expect(try MirroringLease(store).acquireIfFree() != nil)
    }
  }
}
