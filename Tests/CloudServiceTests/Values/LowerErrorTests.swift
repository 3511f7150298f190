import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Errors of lower layers: code, text, cause, hint, path and retry time")
struct LowerErrorTests {
  private static let mend =
    "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again."

  private struct Other: Error {}

  private func expect(_ below: any Error, is expected: ServiceError) {
    #expect(ServiceError(describing: below) == expected)
  }

  @Test("errors of the store have their service errors") func errorsOfTheStoreHaveTheirService() {
    let holder = LockHolder(account: "alice", command: "localcloud record save", process: 7)
    expect(
      StorageError.busy(path: "/c/lock", holder: holder, waited: 30),
      is: ServiceError(
        .zoneBusy, "Gave up after 30 s of waiting for localcloud record save (alice, process 7).", cause: .lockTimeout,
        hint: "Try again, or raise the lock timeout.", path: "/c/lock", retryAfter: 1))
    expect(
      StorageError.busy(path: "/c/lock", holder: nil, waited: 0.5),
      is: ServiceError(
        .zoneBusy, "Gave up after 0.5 s of waiting for another process.", cause: .lockTimeout,
        hint: "Try again, or raise the lock timeout.", path: "/c/lock", retryAfter: 1))
    expect(
      StorageError.damaged(path: "/c/f", reason: "not JSON"),
      is: ServiceError(
        .internalError, "A file of the cloud is damaged: /c/f: not JSON.", cause: .damage, hint: Self.mend, path: "/c/f"
      ))
    expect(
      StorageError.formatTooNew(path: "/c", found: 9, known: 1),
      is: ServiceError(
        .incompatibleVersion, "The cloud has format 9; this version knows formats up to 1.", cause: .formatTooNew,
        hint: "Use the newer version of the tool that made it.", path: "/c"))
    expect(
      StoreError.notACloud(path: "/c"),
      is: ServiceError(
        .badContainer, "There is no cloud in /c.", cause: .noCloud,
        hint: "Make one with `localcloud init --root /c`, or point LOCALCLOUD_ROOT to one.", path: "/c"))
    expect(
      StorageError.nameCollision(path: "/c/f", name: "A"),
      is: ServiceError(
        .serverRejectedRequest, "The file of A already holds something of another name.", cause: .storage,
        hint: "Does the disk ignore case? Put the cloud on one that does not.", path: "/c/f"))
    let database = DatabasePath(container: "iCloud.test", environment: "development", scope: ["private", "alice"])
    expect(
      StoreError.zoneMissing(ZonePath(database: database, zone: "Z")),
      is: ServiceError(.zoneNotFound, "Zone 'Z' does not exist", internalCode: 2036))
  }

  @Test("errors of the creation of a cloud have their service errors") func errorsOfTheCreationOfACloud() {
    expect(
      StoreError.alreadyACloud(path: "/c"),
      is: ServiceError(.serverRejectedRequest, "There is a cloud in /c already.", path: "/c"))
    expect(
      StoreError.insideACloud(path: "/c/d", root: "/c"),
      is: ServiceError(
        .serverRejectedRequest, "The folder /c/d lies in the cloud /c.", hint: "Name a folder outside of it.",
        path: "/c/d"))
    expect(
      StoreError.folderNotEmpty(path: "/c"),
      is: ServiceError(
        .serverRejectedRequest, "The folder /c is not empty, and no cloud.",
        hint: "Name a folder that is empty or not there yet.", path: "/c"))
    expect(
      StoreError.snapshotExists("before"),
      is: ServiceError(
        .serverRejectedRequest, "There is a snapshot 'before' already.",
        hint: "Choose another name, or replace it with --replace."))
    expect(
      StoreError.snapshotMissing("before"),
      is: ServiceError(
        .unknownItem, "There is no snapshot 'before'", hint: "`localcloud snapshot list` shows the snapshots there are."
      ))
    expect(
      StoreError.badSnapshotFile(line: 3, reason: "it is no JSON"),
      is: ServiceError(
        .invalidArguments, "The file holds no whole snapshot: line 3: it is no JSON.",
        hint: "Export the snapshot again; nothing was imported."))
    expect(
      StoreError.snapshotFileTooNew(found: 2, known: 1),
      is: ServiceError(
        .incompatibleVersion, "The file of the snapshot has version 2; this version reads files up to 1.",
        cause: .formatTooNew,
        hint: "Import it with the newer version of the tool that exported it; nothing was imported."))
    expect(
      StoreError.snapshotDamaged(name: "before", reason: "it has no accounts"),
      is: ServiceError(
        .internalError, "The snapshot 'before' is damaged: it has no accounts.", cause: .damage,
        hint: "Delete it with `localcloud snapshot delete`, and restore another one; the cloud itself was not changed.")
    )
  }

  @Test("if the result of a commit is unknown, the error is serverResponseLost") func ifTheResultOfACommit() {
    expect(
      StorageError.uncertain(path: "/c/log", reason: "it failed twice"),
      is: ServiceError(
        .serverResponseLost, "Whether it was saved can't be told: it failed twice.", cause: .storage,
        hint: "Look after the disk, then fetch and compare.", path: "/c/log"))
    let waiting: [(LockHolder?, String)] = [
      (LockHolder(account: nil, command: "app", process: 8), "app (process 8)"), (nil, "another process"),
    ]
    for (holder, who) in waiting {
      expect(
        StorageError.pending(path: "/c/log", holder: holder, waited: 2),
        is: ServiceError(
          .serverResponseLost,
          "Whether it was saved can't be told yet: for 2 s it has waited for \(who), which commits "
            + "it.",
          hint: "Let that process go on, or end it, and fetch then; it is lost only if the machine goes down before.",
          path: "/c/log"))
    }
    expect(
      StoreError.assetGone(path: "/c/a"),
      is: ServiceError(
        .assetNotAvailable, "The asset is gone: its record was changed meanwhile.", hint: "Fetch the record again.",
        path: "/c/a", retryAfter: 1))
    expect(
      StorageError.unapplied(path: "/c/log", reason: "the disk is full"),
      is: ServiceError(
        .serviceUnavailable, "/c/log: the disk is full.", cause: .storage, path: "/c/log", retryAfter: 1))
  }

  @Test("errors of the file system have their service errors") func errorsOfTheFileSystem() {
    func below(_ code: Int32) -> SystemError { SystemError(code: code, call: "write", path: "/c/f", isWrite: true) }
    let full = below(SystemError.noSpace)
    expect(
      full,
      is: ServiceError(
        .quotaExceeded, "The disk is full: \(full).", cause: .diskFull,
        hint:
          "Free space on the disk that holds /c/f, or remove test clouds that nobody needs; nothing was saved.",
        path: "/c/f"))
    for denied in [below(SystemError.accessDenied), below(SystemError.readOnly)] {
      expect(
        denied,
        is: ServiceError(
          .serverRejectedRequest, "The cloud's folder can't be written: \(denied).", cause: .storage,
          hint: "Check the owner and the permissions of the folder.", path: "/c/f"))
    }
    let unread = SystemError(code: SystemError.accessDenied, call: "open", path: "/c/f")
    expect(
      unread,
      is: ServiceError(
        .serverRejectedRequest, "A part of the cloud can't be read: \(unread).", cause: .storage,
        hint: "Check the owner and the permissions of /c/f.", path: "/c/f"))
    expect(
      below(SystemError.notAFileCode),
      is: ServiceError(
        .internalError, "Something else lies where a part of the cloud belongs: /c/f: it is not a file.",
        cause: .damage, hint: Self.mend, path: "/c/f"))
    expect(
      below(SystemError.outOfWatchesCode),
      is: ServiceError(
        .serviceUnavailable,
        "No more folders can be watched: write /c/f: the system allows no more watched folders, or open files.",
        cause: .storage,
        hint: "End programs that watch folders, or raise fs.inotify.max_user_watches and max_user_instances.",
        path: "/c/f"))
    expect(
      below(SystemError.missing),
      is: ServiceError(
        .internalError, "A part of the cloud is missing: /c/f.", cause: .damage, hint: Self.mend, path: "/c/f"))
    let failed = below(SystemError.inputOutput)
    expect(
      failed,
      is: ServiceError(.serviceUnavailable, "The disk failed: \(failed).", cause: .storage, path: "/c/f"))
  }

  @Test("errors of keys and libcrypto, and all other errors, have their service errors") func errorsOfKeysAndLibcrypto()
  {
    expect(
      CryptographyError.unavailable(["libcrypto.so.3", "libcrypto.so"]),
      is: ServiceError(
        .internalError,
        "Encrypted values need libcrypto of OpenSSL, which is not here (libcrypto.so.3, libcrypto.so).",
        cause: .missingLibrary,
        hint: "Install it (Debian, Ubuntu: libssl3; Fedora: openssl-libs; Alpine: libcrypto3), or name its file in "
          + "LOCALCLOUD_LIBCRYPTO."))
    expect(
      CryptographyError.failed("no point"),
      is: ServiceError(
        .internalError, "Something else lies where a key belongs: no point.", cause: .damage, hint: Self.mend))
    expect(
      ZoneKeys.Lost("it went"),
      is: ServiceError(
        .internalError, "A key is not to be had: it went.", cause: .damage,
        hint: "`localcloud check` lists what is wrong; \"account reset-keys\" starts over with new keys."))
    expect(Other(), is: ServiceError(.internalError, "unexpected error: Other()"))
    let own = ServiceError(.zoneBusy, "as it is", internalCode: 1)
    expect(own, is: own)
  }

  @Test("an error of a partly completed operation contains its cause and a hint to repeat the operation")
  func halfDone() {
    let below = SystemError(code: SystemError.noSpace, call: "write", path: "/c/f")
    #expect(
      ServiceError.halfDone("Half of it is done", below, hint: "Ask again")
        == ServiceError(
          .serverResponseLost, "Half of it is done: The disk is full: \(below).", cause: .diskFull,
          hint: "Ask again: that does the rest.", path: "/c/f"))
  }

  // MARK: Stored errors

  @Test("an error stored on a device is read back with all of its properties") func errorStoredOnADeviceIsRead() throws
  {
    let plain = ServiceError(.unknownItem, "gone")
    #expect(plain.object == ["code": 11, "message": "gone"])
    #expect(ServiceError(plain.object) == plain)

    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    let record = try alice.save(alice.note("a", "1"))
    var full = ServiceError(
      .serverRecordChanged, "changed", internalCode: 2004, cause: .schema, hint: "look", path: "/c/f", retryAfter: 1.5,
      serverRecord: record)
    full.words = "oplock"
    full.isEncryptedDataReset = true
    #expect(
      full.object.keys == [
        "cause", "code", "hint", "internalCode", "isEncryptedDataReset", "message", "path", "retryAfter",
        "serverRecord", "words",
      ])
    #expect(ServiceError(full.object) == full)
    for key in ["recordName", "recordType", "recordChangeTag", "zoneID", "created", "modified"] {
      var broken = full.object
      var record = try #require(broken["serverRecord"]?.object)
      record[key] = nil
      broken["serverRecord"] = .object(record)
      #expect(ServiceError(broken) == nil, "\(key)")
    }
  }

  @Test(
    "an invalid stored error is refused",
    arguments: [
      "{}", #"{"code":11}"#, #"{"message":"m"}"#, #"{"code":0,"message":"m"}"#, #"{"code":38,"message":"m"}"#,
      #"{"code":"11","message":"m"}"#, #"{"code":11,"message":1}"#, #"{"code":11,"message":"m","serverRecord":1}"#,
    ])
  func notKept(_ text: String) throws {
    let object = try #require(try JSONValue(parsing: text).object)
    #expect(ServiceError(object) == nil)
  }
}
