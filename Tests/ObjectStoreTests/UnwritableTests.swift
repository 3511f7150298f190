import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage
import Synchronization
import TestSupport
import Testing

@Suite("Reading a store on a disk that cannot be written")
struct UnwritableTests {
  private typealias Sample = SampleStore
  private typealias Faults = ObjectStoreFaultTests

  private static var readOnly: ObjectStore.Options {
    var options = Sample.options
    options.isReadOnly = true
    return options
  }

  /// The states that a new process reads from the store on this disk: opened to write, and opened to read.
  private func scenarios(_ path: String, _ disk: UnwritableDisk, boot: String = HostProcess.bootIdentifier) throws
    -> Set<StoreScenario>
  {
    let stores = try [Sample.options, Self.readOnly].map {
      try Sample.open(path + "/s", options: $0, in: disk.fileSystem(boot: boot))
    }
    return Set(try stores.map { try StoreScenario($0) })
  }

  // MARK: A full disk

  // [store-27]
  @Test(
    "if the disk becomes full at any call of a save, acknowledged saves can be read, and copied to another disk",
    arguments: Faults.steps.indices, [UnwritableDisk.full, .fullForAll])
  func ifTheDiskBecomesFullAtAny(number: Int, disk: UnwritableDisk) throws {
    let step = Faults.steps[number]
    let image = try Faults().image(step)
    let calls = try image.onCopy { path in
      try CrashHarness().trace { try step.change(Sample.open(path + "/s", in: $0)) }
    }
    let (before, after) = try image.onCopy { path in
      let before = try StoreScenario(Sample.open(path + "/s"))
      try step.change(Sample.open(path + "/s"))
      return (before, try StoreScenario(Sample.open(path + "/s")))
    }
    var acknowledged = 0
    for count in 0..<calls.count {
      try image.onCopy { path in
        var allowed: Set<StoreScenario> = [after]
        do {
          try step.change(Sample.open(path + "/s", in: disk.fileSystem(after: count)))
          acknowledged += 1
        } catch StorageError.uncertain {
          allowed = [before, after]
        } catch {
          allowed = [before]
        }
        let text = "\(step.name): \(disk) after \(count) calls"
        do {
          let found = try scenarios(path, disk)
          #expect(found.count == 1, "\(text)")
          #expect(found.isSubset(of: allowed), "\(text)")
          let later = try FolderImage(of: path).onCopy { try scenarios($0, disk, boot: "another boot") }
          #expect(later == found, "\(text), and the machine was started again")
          let store = try Sample.open(path + "/s", in: disk.fileSystem())
          #expect(throws: ObjectStoreError.self, "\(text)") { try store.setMetadata(["a": 1]) }
          #expect(try store.check() == [], "\(text)")
          try store.copy(to: path + "/copy")
          let copy = try Sample.open(path + "/copy")
          #expect(try found == [StoreScenario(copy)] && copy.check() == [], "\(text), and copied")
          try ObjectStore.destroy(path + "/copy")
          Faults().judge(.init(path, Array(found)) { text + ", and with room again" })
        } catch {
          Issue.record("\(text): \(error)")
        }
      }
    }
    // Otherwise the faults were not exercised.
    #expect(acknowledged > 0)
    #expect(calls.count > 10)
  }

  // [store-27]
  @Test("saved metadata and the store's UUID are read while the disk is full")
  func savedMetadataAndTheStoresUUID() throws {
    try Sample.withPath("unwritable-metadata") { path in
      let identifier = try Sample.open(path).identifier
      let calls = try CrashHarness().trace { try Sample.open(path, in: $0).setMetadata(["a": 1]) }
      for count in 0..<calls.count {
        let value = JSONValue.integer(Int64(count))
        let store = try Sample.open(path, in: UnwritableDisk.full.fileSystem(after: count))
        guard (try? store.setMetadata(["a": value])) != nil else { continue }
        let later = try Sample.open(path, in: UnwritableDisk.full.fileSystem())
        #expect(try later.metadata() == ["a": value], "\(count)")
        let summary = try ObjectStore.summary(path, in: UnwritableDisk.full.fileSystem())
        #expect(summary.metadata == ["a": value], "\(count)")
        #expect(summary.identifier == identifier, "\(count)")
      }
      #expect(try Sample.open(path).metadata() != [:])
    }
  }

  // [store-27]
  @Test("a save on a full disk fails with diskFull and the file's path")
  func saveOnAFullDiskFails() throws {
    try Sample.withPath("unwritable-error") { path in
      _ = try Sample.open(path)
      let store = try Sample.open(path, in: UnwritableDisk.full.fileSystem())
      do {
        _ = try store.write { transaction in
          transaction.insert(Sample.row(transaction.newID(of: Sample.tag), ["name": .string("red")]))
        }
        Issue.record("it was saved")
      } catch ObjectStoreError.diskFull(let file) { #expect(file.hasPrefix(path)) }
    }
  }

  // MARK: A disk that can't be written

  // [store-27]
  @Test(
    "entries that a killed process left in the journal are read where nothing can be written",
    arguments: Faults.steps.indices,
    [UnwritableDisk.fullForAll, .denied])
  func entriesThatAKilledProcessLeft(number: Int, disk: UnwritableDisk) throws {
    let fault = try fault(number, disk)
    let (count, outcomes) = try fault.kills()
    #expect(count > 20)
    #expect(outcomes == [fault.before, fault.after])
  }

  // [store-27]
  @Test(
    "entries that a power cut left in the journal are read where nothing can be written",
    arguments: Faults.steps.indices,
    [UnwritableDisk.full, .readOnly])
  func powerCuts(number: Int, disk: UnwritableDisk) throws { try fault(number, disk).powerCuts(seeded: 1) }

  private func fault(_ number: Int, _ disk: UnwritableDisk) throws -> FaultCase<StoreScenario> {
    let step = Faults.steps[number]
    return try FaultCase(
      step.name, Faults().image(step), change: { try step.change(Sample.open($0 + "/s", in: $1)) },
      state: { try StoreScenario(Sample.open($0 + "/s")) },
      judge: { finding in
        do {
          let found = try scenarios(finding.path, disk, boot: finding.boot)
          #expect(found.count == 1, "\(finding.text)")
          #expect(found.isSubset(of: finding.allowed), "\(finding.text)")
          // A process that can write finds the same state.
          let later = try StoreScenario(Sample.open(finding.path + "/s", in: FileSystem(bootIdentifier: finding.boot)))
          #expect(found == [later], "\(finding.text), and can be written")
        } catch {
          Issue.record("\(finding.text): \(error)")
        }
      })
  }

  /// Damage to a store's index.
  enum IndexState: CaseIterable { case whole, noFile, noFolder, damaged, earlier }

  private func change(_ index: IndexState, _ store: Directory, earlier: [UInt8]) throws {
    let folder = try store.directory(".index")
    switch index {
    case .whole: break
    case .noFile: try folder.remove("index")
    case .noFolder: try store.removeTree(".index")
    case .damaged: try folder.file("index", .readWrite).write([UInt8](repeating: 0xFF, count: 64), at: 2 * 8192)
    case .earlier: try folder.writeStaged("index", earlier)
    }
  }

  // [store-27]
  @Test(
    "objects are found without a usable index on a disk that cannot be written, and nothing is written",
    arguments: IndexState.allCases,
    [UnwritableDisk.readOnly, .denied, .full])
  func objectsAreFoundWithoutAUsableIndex(state: IndexState, disk: UnwritableDisk) throws {
    try Sample.withPath("unwritable-index") { path in
      var changes = RandomChanges(seed: TestSeed.value("unwritable"))
      let writer = try Sample.open(path)
      for _ in 0..<20 { try changes.step(writer) }
      let folder = try Directory.open(path: path, in: FileSystem())
      let earlier = try folder.directory(".index").contents("index") ?? []
      let id = try writer.write { transaction in
        let id = transaction.newID(of: Sample.post)
        transaction.insert(Sample.row(id, ["title": .string("wanted"), "rating": .integer(5)]))
        return id
      }.result
      let scenario = try StoreScenario(writer)
      try change(state, folder, earlier: earlier)
      let image = try FolderImage(of: path)
      for (options, boot) in [
        (Self.readOnly, HostProcess.bootIdentifier), (Sample.options, HostProcess.bootIdentifier),
        (Self.readOnly, "another boot"), (Sample.options, "another boot"),
      ] {
        let store = try Sample.open(path, options: options, in: disk.fileSystem(boot: boot))
        #expect(try StoreScenario(store) == scenario)
        let predicate = PredicateTree.comparison(
          PredicateComparison(.key("title"), .equal, .constant(.string("wanted"))))
        let found = try store.read { try $0.fetchIDs(StoreFetch(entities: [Sample.post], predicate: predicate)) }
        #expect(found == [id])
        // The check reports the state of the index on disk.
        #expect(try store.check().allSatisfy { $0.path == path + "/.index/index" })
        #expect(throws: ObjectStoreError.self) { try store.setMetadata(["a": 1]) }
        if disk != .full { #expect(try store.generation() == nil) }
      }
      if disk != .full { #expect(try FolderImage(of: path).differences(from: image) == []) }
      // The store continues when it can be written.
      let later = try Sample.open(path, in: FileSystem(bootIdentifier: "another boot"))
      #expect(try StoreScenario(later) == scenario && later.check() == [])
      #expect(try writer.read { try $0.row(id) } != nil)
    }
  }

  // [store-27]
  @Test("a process without write permission reads the saves of another process, with and without an index")
  func processWithoutWritePermissionReadsTheSaves() throws {
    try Sample.withPath("unwritable-others") { path in
      let writer = try Sample.open(path)
      let reader = try Sample.open(path, options: Self.readOnly, in: UnwritableDisk.denied.fileSystem())
      for number in 0..<12 {
        let id = try writer.write { transaction in
          let id = transaction.newID(of: Sample.tag)
          transaction.insert(Sample.row(id, ["name": .string("tag \(number)")]))
          return id
        }.result
        if number % 3 == 1 { try Directory.open(path: path, in: FileSystem()).directory(".index").remove("index") }
        #expect(try reader.read { try $0.ids(of: Sample.tag).last } == id)
        #expect(try reader.read { try $0.row(id)?.attributes.last } == .string("tag \(number)"))
      }
    }
  }

  // MARK: Binaries

  // [store-27]
  @Test("a reader of a binary retries an incomplete journal during a checkpoint, and fails on a damaged one")
  func binaryBesideCheckpoint() throws {
    try Sample.withPath("objects-binary-beside") { path in
      var options = Sample.options
      options.limits.checkpointBytes = 1 << 20
      let store = try Sample.open(path, options: options)
      let body = try store.write { transaction in
        let body = try transaction.external([1, 2, 3])
        let values: [String: StoredValue] = ["body": .external(body), "title": .string("first")]
        transaction.insert(Sample.row(transaction.newID(of: Sample.post), values))
        return body
      }.result
      try store.setMetadata(["second": 2])
      let folder = try Directory.open(path: path, in: FileSystem())
      let binaries = try folder.directory("binaries")
      let journal = try folder.directory(".journal").file("log", .readWrite)
      let whole = try journal.readAll()
      // A journal without its header, and with a damaged entry before a valid one.
      var broken = whole
      let first = try #require(whole.firstRange(of: Array("first".utf8)))
      for index in Array(0..<8) + Array(first) { broken[index] = 0 }
      for isDamaged in [false, true] {
        try binaries.rename(body.digest, to: folder, as: "moved")
        let looks = Atomic(0)
        let fileSystem = FileSystem(observing: .allCalls) { [broken] call in
          guard call == .openFile(binaries.path(of: body.digest)) else { return .proceed }
          let look = looks.add(1, ordering: .relaxed).newValue
          try? journal.write(look == 1 || isDamaged ? broken : whole, at: 0)
          if look == 2, !isDamaged { try? folder.rename("moved", to: binaries, as: body.digest) }
          return .proceed
        }
        let other = try Sample.open(path, in: fileSystem)
        let contents = try? other.contents(of: body)
        let count = looks.load(ordering: .relaxed)
        #expect(contents == (isDamaged ? nil : [1, 2, 3]))
        #expect(isDamaged ? count > 10 : count == 2)
      }
    }
  }
}
