import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization
import TestSupport
import Testing

/// While one process opens a store, another process migrates, replaces or removes it, before each call of the opening.
@Suite("Opening a store while another process replaces it")
struct OvertakenOpeningTests {
  private typealias Sample = SampleStore

  /// The model of the sample, in another version.
  private static let later = StoreSchema(
    Sample.declarations.map { declaration in
      var declaration = declaration
      declaration.versionHash = "2"
      return declaration
    })

  private typealias Outcome = Result<ObjectStore?, any Error>

  /// Opens a copy of a store once for each call of the opening, and runs the other operation before that call.
  private func everyCall(
    _ open: (String, FileSystem) throws -> ObjectStore?, meanwhile: @escaping @Sendable (String) throws -> Void,
    judge: (Outcome, String) throws -> Void
  ) throws {
    let folder = MemoryFolder.newPath("objects-overtaken")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    _ = try Sample.open(folder + "/s").write {
      $0.insert(Sample.row($0.newID(of: Sample.tag), ["name": .string("red")]))
    }
    let image = try FolderImage(of: folder)
    let calls = try image.onCopy { path in
      CrashHarness().trace(allCalls: true) { _ = try? open(path + "/s", $0) }
    }
    #expect(calls.count >= 5)
    for index in calls.indices {
      try image.onCopy { path in
        let count = Atomic(0)
        let failure = Mutex<(any Error)?>(nil)
        let fileSystem = FileSystem(observing: .allCalls) { _ in
          if count.add(1, ordering: .relaxed).oldValue == index {
            do { try meanwhile(path + "/s") } catch { failure.withLock { $0 = error } }
          }
          return .proceed
        }
        let result = Result { try open(path + "/s", fileSystem) }
        #expect(failure.withLock { $0 } == nil)
        try judge(result, "before \(CrashHarness.summary(calls[index]))")
      }
    }
  }

  /// Expects that the opened store is the one at the path and can be read.
  private func expectTag(_ outcome: Outcome, _ text: String) throws {
    guard case .success(let store?) = outcome else {
      Issue.record("\(text): \(outcome)")
      return
    }
    #expect(try store.read { try $0.ids(of: Sample.tag).count } == 1, "\(text)")
  }

  private static let migrate: @Sendable (String) throws -> Void = { path in
    try ObjectStore.migrate(path, StoreMapping(from: Sample.schema, to: later), options: Sample.options)
  }

  // [store-28]
  @Test("opening with the former model during a migration fails with otherModel")
  func openingWithTheFormerModelDuring() throws {
    let entities = Self.later.entities.map(\.name)
    let open = { try Sample.open($0, in: $1) }
    try everyCall(open, meanwhile: Self.migrate) { outcome, text in
      guard case .failure(ObjectStoreError.otherModel(_, let found)) = outcome else {
        Issue.record("\(text): \(outcome)")
        return
      }
      #expect(found == entities, "\(text)")
    }
  }

  // [store-28]
  @Test("opening with the new model during a migration succeeds")
  func openingWithTheNewModelDuring() throws {
    let open = { try ObjectStore($0, schema: Self.later, options: Sample.options, in: $1) }
    try everyCall(open, meanwhile: Self.migrate) { try expectTag($0, $1) }
  }

  // [store-28]
  @Test("a program without a model that opens during a migration reads the current store", arguments: [true, false])
  func programWithoutAModelThatOpensDuring(isReadOnly: Bool) throws {
    let open = { try ObjectStore.stored($0, isReadOnly: isReadOnly, options: Sample.options, in: $1) }
    try everyCall(open, meanwhile: Self.migrate) { try expectTag($0, $1) }
  }

  // [store-28]
  @Test("the summary read during a migration is that of the old store or of the new one")
  func summaryReadDuringAMigration() throws {
    let open = { (path: String, fileSystem: FileSystem) -> ObjectStore? in
      let schema = try ObjectStore.summary(path, in: fileSystem).schema
      #expect(schema == Sample.schema || schema == Self.later)
      return nil
    }
    try everyCall(open, meanwhile: Self.migrate) { outcome, text in
      if case .failure(let error) = outcome { Issue.record("\(text): \(error)") }
    }
  }

  // [store-28]
  @Test(
    "a store that is removed during the opening is created again, or is reported missing if opened read only",
    arguments: [true, false])
  func storeThatIsRemovedDuringTheOpening(isReadOnly: Bool) throws {
    var options = Sample.options
    options.isReadOnly = isReadOnly
    let open = { try Sample.open($0, options: options, in: $1) }
    let destroy: @Sendable (String) throws -> Void = { try ObjectStore.destroy($0) }
    try everyCall(open, meanwhile: destroy) { outcome, text in
      switch outcome {
      case .success(let store):
        #expect(!isReadOnly, "\(text)")
        let head = try store?.read { try $0.head() }
        #expect(head == 0, "\(text)")
      case .failure(ObjectStoreError.missing): #expect(isReadOnly, "\(text)")
      case .failure(let error): Issue.record("\(text): \(error)")
      }
    }
  }

  // [store-28]
  @Test("an opening between the two renames of a replacement waits until the replacement ends")
  func openingBetweenTheTwoRenames() throws {
    let folder = MemoryFolder.newPath("objects-between")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    let path = folder + "/s"
    _ = try Sample.open(path)
    let stage = ThreadCondition(0)
    // The migration stops after the store's folder was renamed away.
    let migrating = FileSystem(observing: .changes) { call in
      if case .rename(from: folder + "/.s.making", to: path) = call {
        stage.change { $0 = 1 }
        _ = stage.wait(seconds: 60) { $0 == 2 ? true : nil }
      }
      return .proceed
    }
    let worker = SerialWorker()
    worker.add {
      try ObjectStore.migrate(
        path, StoreMapping(from: Sample.schema, to: Self.later), options: Sample.options, in: migrating)
    }
    #expect(stage.wait(seconds: 60) { $0 == 1 ? true : nil } == true)
    // The migration continues when the opening tries to take the migration's lock.
    let opening = FileSystem(observing: .allCalls) { call in
      if case .tryLock(folder + "/.s.making/.journal/making") = call { stage.change { $0 = 2 } }
      return .proceed
    }
    let store = try ObjectStore(path, schema: Self.later, options: Sample.options, in: opening)
    #expect(try store.read { try $0.head() } == 0)
    try worker.finish()
  }
}
