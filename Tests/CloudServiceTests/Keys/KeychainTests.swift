import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Keychains of devices")
struct KeychainTests {
  let cloud: TemporaryCloud
  let alice: Person
  private static let file = "keychain.json"

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.secret("note", "s"))
  }

  private func device(_ name: String = "alice-device") throws -> Directory { try cloud.directory("devices/\(name)") }

  private func signIn(_ account: String, on name: String) throws {
    try cloud.service.cloud.withFolder("devices", LockWaitPolicy()) { folder in
      try folder.write(["account": .string(account), "name": .string(name)], name, "device.json")
    }
  }

  // [encryption-key-1]
  @Test(
    "the private key is only in the keychain, which only its owner can read; the public key is in the account's file")
  func privateKeyIsOnlyInTheKeychain() throws {
    #expect(try device().permissions(of: Self.file) == 0o600)
    let keychain = try JSONValue(parsing: try #require(try device().contents(Self.file)))
    let entries = try #require(keychain["keys"]?.array)
    #expect(entries.count == 1 && entries[0]["container"] == "iCloud.test" && entries[0]["generation"] == 1)
    let secret = try #require(entries[0]["privateKey"]?.string)
    let holders = try FolderImage(of: cloud.path).paths().filter { $0.value.firstRange(of: Array(secret.utf8)) != nil }
    #expect(Array(holders.keys) == ["devices/alice-device/keychain.json"])
    let account = try #require(try cloud.directory("accounts").contents("alice.json"))
    let key = try #require(try JSONValue(parsing: account)["keys"]?["iCloud.test"]?.object)
    #expect(key.keys == ["generation", "publicKey"])
    #expect(key["publicKey"]?.string != secret)
  }

  @Test("a new device copies the keys from another device, and then works without that device ([encryption-key-2])")
  func newDeviceCopiesTheKeys() throws {
    #expect(try alice.on("phone").read("note") == "s")
    #expect(try device("phone").permissions(of: Self.file) == 0o600)
    try device().remove(Self.file)
    #expect(try alice.on("phone").read("note") == "s")
    #expect(try alice.read("note") == "s")
    for name in ["alice-device", "phone"] { try device(name).remove(Self.file) }
    #expect(code { try alice.read("note") } == .internalError)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "keys on a device that another account uses now stay usable for their owner, and unusable for the other account")
  func keysOnADeviceThatAnotherAccount() throws {
    let bytes = try #require(try device().contents(Self.file))
    try device().remove(Self.file)
    try signIn("bob", on: "bobs-phone")
    try device("bobs-phone").createFile(Self.file, mode: 0o600).write(bytes, at: 0)
    // Bob's account on that device can read nothing of Alice's.
    let bob = try Person(cloud, "bob", device: "bobs-phone").inShared(zoneOf: alice)
    #expect(code { try bob.fetch("note") } == .zoneNotFound)
    #expect(try alice.read("note") == "s")
  }

  @Test(
    "a damaged keychain is an error for encrypted values only; after repair the key is copied from another device",
    arguments: ["", "{", "[]", "{}", #"{"keys":[{}]}"#, #"{"keys":[{"container":"c","generation":0}]}"#])
  func damagedKeychainIsAnErrorForEncrypted(_ text: String) throws {
    try alice.save(alice.note("plain", "1"))
    try signIn("alice", on: "phone")
    #expect(try alice.on("phone").read("note") == "s")
    try device().writeStaged(Self.file, Array(text.utf8))
    let error = failure { try alice.read("note") }
    #expect(error?.code == .internalError, "\(text)")
    #expect(error?.message.contains("keychain.json") == true, "\(text)")
    #expect(try alice.fetch("plain").fields["text"] == .string("1"))
    #expect(code { try alice.save(alice.secret("new", "x")) } == .internalError)
    #expect(try cloud.service.checks.check().map(\.path) == [device().path(of: Self.file)])
    _ = try cloud.service.repairs.repair()
    #expect(try cloud.service.checks.check() == [])
    #expect(try alice.read("note") == "s")
  }

  @Test("the error of an unreadable keychain states that it can't be read")
  func errorOfAnUnreadableKeychainStates() throws {
    let path = try device().path(of: Self.file)
    let fileSystem = FileSystem(observing: .allCalls) {
      $0 == .openFile(path) ? .fail(SystemError.accessDenied) : .proceed
    }
    let service = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    let request = FetchRecordsRequest(scope: .private, records: [RecordIdentifier(name: "note", zone: alice.zone)])
    let error = #expect(throws: ServiceError.self) {
      _ = try service.records.fetchRecords(request, by: alice.caller).map { try $0.get() }
    }
    #expect(error?.message.hasPrefix("A part of the cloud can't be read: ") == true)
    #expect(error?.message.contains(path) == true)
    #expect(error?.path == path)
    #expect(error?.cause == .storage)
    #expect(error?.hint == "Check the owner and the permissions of \(path).")
  }

  @Test("a keychain that other users can read is not used; repair makes it private again ([encryption-key-1])")
  func keychainThatOtherUsersCanRead() throws {
    let bytes = try #require(try device().contents(Self.file))
    try device().remove(Self.file)
    try device().createFile(Self.file, mode: 0o644).write(bytes, at: 0)
    let error = failure { try alice.read("note") }
    #expect(error?.message.contains("can be read by others") == true)
    #expect(try cloud.service.checks.check().map(\.text) == ["a keychain that others can read"])
    #expect(try cloud.service.repairs.repair().left == [])
    #expect(try device().permissions(of: Self.file) == 0o600)
    #expect(try alice.read("note") == "s")
  }

  @Test("a private key that was stored when the process was killed, before the account's public key, is used later")
  func halfMade() throws {
    let made = Count()
    let fileSystem = FileSystem { call in
      if case .rename(_, let path) = call, path.hasSuffix("accounts/bob.json"), made.isFirst() { return .stopBefore }
      return .proceed
    }
    let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    let bob = Person(cloud, "bob")
    try bob.makeZone()
    let request = ModifyRecordsRequest(scope: .private, saves: [bob.secret("note", "b")])
    #expect(throws: ServiceError.self) { try service.records.modifyRecords(request, by: bob.caller).saves[0].get() }
    let left = try #require(try device("bob-device").contents(Self.file))
    #expect(try cloud.service.accounts.account("bob").keys.isEmpty)
    #expect(try cloud.service.checks.check() == [])
    try bob.save(bob.secret("note", "b"))
    #expect(try device("bob-device").contents(Self.file) == left)
    #expect(try bob.on("tablet").read("note") == "b")
  }

  @Test("removing an account empties its keychains")
  func removingAnAccountEmptiesItsKeychains() throws {
    _ = try cloud.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
    try cloud.service.accounts.removeAccount("alice")
    #expect(try device().contents(Self.file).map { try JSONValue(parsing: $0) } ?? ["keys": []] == ["keys": []])
  }
}

private final class Count: Sendable {
  private let counter = Counter()
  func isFirst() -> Bool { counter.next() == 1 }
}
