import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Assets: failed saves, and references to stored bytes")
struct AssetSaveTests {
  let stage: AssetStage
  let alice: Person

  init() throws {
    stage = try AssetStage()
    alice = stage.alice
  }

  // [record-asset-2]
  @Test(
    "a missing asset file is error 16, one that changes during the save 17, an unreadable one 35; no upload remains")
  func missingAssetFileIsError16() throws {
    let missing = alice.picture("a", .asset(AssetValue(file: "/nowhere/at/all")))
    #expect(code { try alice.save(missing) } == .assetFileNotFound)
    #expect(code { try alice.save(alice.picture("a", .asset(AssetValue(file: "/tmp")))) } == .assetFileNotFound)
    #expect(code { try alice.save(alice.picture("a", .asset(AssetValue(file: "/dev/null")))) } == .assetFileNotFound)
    // A kernel file that can be opened, but can't be read from its beginning.
    #expect(
      code { try alice.save(alice.picture("a", .asset(AssetValue(file: "/proc/self/mem")))) } == .assetNotAvailable)
    for change in ["append", "replace", "remove"] {
      let file = try TemporaryFile([UInt8](repeating: 1, count: 3 << 20))
      let isFirst = Mutex(true)
      var request = ModifyRecordsRequest(scope: .private, saves: [alice.picture("a", file)])
      request.progress = { _, _ in
        guard
          isFirst.withLock({ first in
            defer { first = false }
            return first
          })
        else { return true }
        Self.spoil(file.path, change)
        return true
      }
      #expect(
        code { try alice.service.records.modifyRecords(request, by: alice.caller).saves[0].get() }
          == .assetFileModified,
        "\(change)")
    }
    #expect(code { try alice.fetch("a") } == .unknownItem)
    #expect(try stage.folders().assets == [])
    #expect(try stage.folders().uploads == [])
  }

  private static func spoil(_ path: String, _ change: String) {
    let parts = path.split(separator: "/")
    let (folder, name) = ("/" + parts.dropLast().joined(separator: "/"), String(parts.last ?? ""))
    guard let directory = try? Directory.open(path: folder, in: FileSystem()) else { return }
    switch change {
    case "append": try? directory.file(name, .readWrite).write([2], at: 3 << 20)
    case "replace":
      try? directory.writeStaged(name + ".new", [UInt8](repeating: 1, count: 3 << 20))
      try? directory.rename(name + ".new", to: directory, as: name)
    default: _ = try? directory.remove(name)
    }
  }

  // [record-batch-6]
  @Test(
    "an asset that fails to upload fails all records of an atomic request, also in the default zone")
  func assetThatFailsToUploadFails() throws {
    for zone in [alice.zone, .default] {
      var person = alice
      person.zone = zone
      let saves = [
        person.note("good", "1"), person.picture("bad", .asset(AssetValue(file: "/nowhere"))),
      ]
      let atomic = try person.modify(saves, delete: ["gone"])
      #expect(atomic.saves.map { code($0.get) } == [.batchRequestFailed, .assetFileNotFound])
      #expect(code(atomic.deletes[0].get) == .batchRequestFailed)
      #expect(code { try person.fetch("good") } == .unknownItem)
      let other = try person.modify(saves, atomic: false)
      // Without the flag the records are saved one by one: only custom zones are atomic by themselves.
      #expect(code(other.saves[1].get) == .assetFileNotFound)
      #expect(code(other.saves[0].get) == nil)
    }
  }

  @Test("omitted fields and unchanged assets keep their bytes; the tag and the save policy apply as usual")
  func omittedFieldsAndUnchangedAssetsKeep() throws {
    let saved = try alice.savePictures("a", ["one", "two"])
    let held = try #require(saved.fields["pictures"]?.assets)
    var other = alice.note("a", "text", tag: saved.changeTag)
    other.type = "Picture"
    try alice.save(other)
    #expect(try alice.pictures("a") == ["one", "two"])
    // One asset stays, one is removed, one is new.
    let file = try TemporaryFile("three")
    let list = FieldValue.list(.asset, [.asset(AssetValue(file: file.path)), .asset(AssetValue(name: held[1].name))])
    try alice.save(alice.picture("a", list), policy: .changedKeys)
    #expect(try alice.pictures("a") == ["three", "two"])
    // If the server no longer has an asset of that name, the bytes are read from the file, if there is one.
    let one = try TemporaryFile("one")
    let back = AssetValue(name: held[0].name, file: one.path)
    try alice.save(alice.picture("a", .list(.asset, [.asset(back)])), policy: .allKeys)
    #expect(try alice.pictures("a") == ["one"])
    try alice.save(
      alice.picture("a", .list(.asset, [.asset(AssetValue(name: held[0].name, file: "/nowhere"))])), policy: .allKeys)
    #expect(try alice.pictures("a") == ["one"])
    let gone = AssetValue(name: held[1].name, file: "/nowhere")
    #expect(
      code { try alice.save(alice.picture("a", .list(.asset, [.asset(gone)])), policy: .allKeys) } == .assetFileNotFound
    )
    #expect(
      code { try alice.save(alice.picture("a", .list(.asset, [.asset(back)]), tag: saved.changeTag)) }
        == .serverRecordChanged)
  }

  @Test("a save that names stored bytes without a file may use only assets of the same record ([record-asset-5])")
  func saveThatNamesStoredBytes() throws {
    let held = try #require(try alice.savePicture("a", "secret").fields["picture"]?.assets.first?.name)
    try alice.savePicture("mine", "other")
    let claim = FieldValue.asset(AssetValue(name: held))
    for save in [
      alice.picture("new", claim), alice.picture("mine", claim), alice.picture("new", .list(.asset, [claim])),
    ] {
      #expect(code { try alice.save(save, policy: .allKeys) } == .assetNotAvailable)
    }
    var elsewhere = alice
    elsewhere.zone = ZoneIdentifier(name: "Other")
    try elsewhere.makeZone()
    #expect(code { try elsewhere.save(elsewhere.picture("a", claim)) } == .assetNotAvailable)
    let bob = Person(stage.cloud, "bob")
    try bob.makeZone()
    #expect(code { try bob.save(bob.picture("a", claim)) } == .assetNotAvailable)
    // A name that no asset has gets the same answer.
    let nothing = AssetValue(name: ContentName("\(Digest.hex128([1]))-1"))
    #expect(code { try bob.save(bob.picture("a", .asset(nothing))) } == .assetNotAvailable)
    for text in ["../../zone.json", "", "x"] {
      #expect(
        code {
          try FieldValue.parse(["type": "ASSETID", "value": ["fileChecksum": .string(text), "size": 1]], key: "k")
        } == .invalidArguments)
    }
  }

  @Test("a full disk fails the record with quotaExceeded, and the partial upload is removed")
  func fullDisk() throws {
    let isFull = Mutex(false)
    let fileSystem = FileSystem { call in
      guard case .write(let path, let offset, _) = call, path.contains("/uploads/"), offset > 0 else { return .proceed }
      return isFull.withLock { $0 } ? .fail(SystemError.noSpace) : .proceed
    }
    let stage = try AssetStage(fileSystem: fileSystem)
    let file = try TemporaryFile([UInt8](repeating: 1, count: 3 << 20))
    isFull.withLock { $0 = true }
    do {
      try stage.alice.save(stage.alice.picture("a", file))
      Issue.record("saved")
    } catch let error as ServiceError {
      #expect(error.code == .quotaExceeded)
      #expect(error.cause == .diskFull)
      #expect(error.hint?.contains("Free") == true)
    }
    #expect(try stage.folders().uploads == [])
    isFull.withLock { $0 = false }
    try stage.alice.save(stage.alice.picture("a", file))
    #expect(try stage.alice.service.checks.check() == [])
  }

  @Test("if the result of a commit is unknown, the upload stays until another process recovers the journal")
  func ifTheResultOfACommit() throws {
    let state = Mutex((isArmed: false, isFailing: false))
    let fileSystem = FileSystem { call in
      state.withLock { state in
        if state.isArmed, case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { state.isFailing = true }
        guard state.isFailing, case .syncFile = call else {
          if state.isFailing, case .write = call { return .fail(SystemError.inputOutput) }
          return .proceed
        }
        return .fail(SystemError.inputOutput)
      }
    }
    let stage = try AssetStage(fileSystem: fileSystem)
    let file = try TemporaryFile("one")
    state.withLock { $0.isArmed = true }
    #expect(code { try stage.alice.save(stage.alice.picture("a", file)) } == .serverResponseLost)
    state.withLock { $0 = (false, false) }
    let next = try FaultRunPeople(stage.next())
    // The journal entry was complete, so the commit counts. An incomplete entry would have left no effect.
    #expect(try stage.alice.pictures("a") == ["one"])
    try next.modify([next.note("n", "1")])
    #expect(try next.service.checks.check() == [])
    #expect(try stage.folders().uploads == [])
  }
}
