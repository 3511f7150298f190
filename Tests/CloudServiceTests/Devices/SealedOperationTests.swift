import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Long-lived operations with encrypted values")
struct SealedOperationTests {
  private static let id = "FEDCBA9876543210"
  private static let other = "0123456789ABCDEF"
  private static let secret = "SECRET-4711-OPERATION"
  private static let content: JSONObject = ["kind": "k", "inputs": ["text": .string(secret)]]
  private static let answers: JSONObject = ["events": [.string(secret)]]

  private let cloud: TemporaryCloud
  /// Alice's caller on a phone.
  private let caller: Caller
  private var service: CloudService { cloud.service }
  private var devices: DeviceService { service.devices }
  private let folder = "devices/phone/operations"

  init() throws {
    cloud = try TemporaryCloud()
    caller = cloud.caller("alice", device: "phone")
    _ = try service.devices.signIn("alice", on: "phone")
  }

  private func store(_ id: String = id, isSecret: Bool = true, by caller: Caller? = nil) throws {
    try devices.storeOperation(id, Self.content, isSecret: isSecret, by: caller ?? self.caller).release()
  }

  private func finish(_ id: String = id, isSecret: Bool = true) throws {
    let held = try #require(try devices.holdOperation(id, by: caller)).operation
    try devices.finishOperation(held, Self.answers, isSecret: isSecret, by: caller)
    held.release()
  }

  private func answers(_ id: String = id, by caller: Caller? = nil) throws -> JSONObject? {
    let found = try devices.holdOperation(id, by: caller ?? self.caller)
    found?.operation.release()
    return found?.answers
  }

  private func names(_ device: String = "phone") throws -> [String] {
    try cloud.directory("devices/\(device)").directoryIfPresent("operations")?.entries().map(\.name).sorted() ?? []
  }

  private func object(_ name: String) throws -> JSONObject {
    try #require(try JSONValue(parsing: cloud.directory(folder).contents(name) ?? []).object)
  }

  private func write(_ object: JSONObject, _ name: String, mode: UInt32 = 0o600) throws {
    try cloud.directory(folder).writeStaged(name, JSONValue.object(object).pretty(), mode: mode)
  }

  @Test(
    "both files are sealed and contain no plain text, and the account can read them [encryption-value-10]")
  func bothFilesAreSealedAndContain() throws {
    try store()
    #expect(try devices.storedOperation(Self.id, by: caller) == Self.content)
    try finish()
    #expect(try answers() == Self.answers)
    #expect(try SecretSearch([Self.secret]).paths(below: cloud.path) == [])
    for name in ["\(Self.id).json", "\(Self.id)-answers.json"] {
      #expect(try object(name)["content"] == nil, "\(name)")
      #expect(try object(name)["sealed"]?.object?.keys == ["content", "key"], "\(name)")
    }
    #expect(try service.checks.check() == [])
    // For comparison: an operation without encrypted values stays readable text.
    try store(Self.other, isSecret: false)
    #expect(
      try SecretSearch([Self.secret]).paths(below: cloud.path) == ["devices/phone/operations/\(Self.other).json"])
  }

  @Test("operation files have permissions for their owner only, with and without encrypted values")
  func operationFilesHavePermissionsForTheirOwner() throws {
    for (id, isSecret) in [(Self.id, true), (Self.other, false)] {
      try store(id, isSecret: isSecret)
      try finish(id, isSecret: isSecret)
    }
    let folder = try cloud.directory(folder)
    #expect(try names().map { try folder.permissions(of: $0) } == Array(repeating: 0o600, count: 4))
    #expect(try exposedDeviceFiles(in: cloud.path) == [])
  }

  @Test("an operation that is moved to another account, ID or container can't be opened")
  func operationThatIsMovedToAnotherAccount() throws {
    try store()
    try finish()
    try store(Self.other)
    let sealed = try object("\(Self.id).json")["sealed"]
    let answers = try object("\(Self.id)-answers.json")["sealed"]
    var moved = try object("\(Self.other).json")
    for wrong in [sealed, answers] {
      moved["sealed"] = wrong
      try write(moved, "\(Self.other).json")
      #expect(code { try devices.storedOperation(Self.other, by: caller) } == .internalError)
    }
    var own = try object("\(Self.id).json")
    own["account"] = "bob"
    try write(own, "\(Self.id).json")
    let bob = cloud.caller("bob", device: "phone")
    let error = failure { try devices.storedOperation(Self.id, by: bob) }
    #expect(error?.message.contains("somebody else's") == true)
    own["account"] = "alice"
    own["containerIdentifier"] = "iCloud.other"
    try write(own, "\(Self.id).json")
    var elsewhere = caller
    elsewhere.container = "iCloud.other"
    #expect(code { try devices.storedOperation(Self.id, by: elsewhere) } == .internalError)
  }

  @Test("a damaged sealed content is an error, and does not end the process")
  func damagedSealedContentIsAnError() throws {
    try store()
    let good = try object("\(Self.id).json")
    let sealed = try #require(good["sealed"]?.object)
    let text = try #require(sealed["content"]?.string)
    let bad: [(JSONValue, isSeen: Bool)] = [
      (1, true), ([:], true), (.object(["content": "", "key": [:]]), true),
      (.object(["content": .string(text), "key": 1]), true),
      (.object(["content": .string(String(text.dropLast(8))), "key": sealed["key"] ?? .null]), false),
      (.object(["content": "AAAA", "key": sealed["key"] ?? .null]), false),
      (.object(["content": "-", "key": sealed["key"] ?? .null]), false),
    ]
    for (value, isSeen) in bad {
      var object = good
      object["sealed"] = value
      try write(object, "\(Self.id).json")
      #expect(code { try devices.storedOperation(Self.id, by: caller) } == .internalError, "\(value)")
      // Check can't examine content that only a private key opens.
      #expect(try service.checks.check().isEmpty == !isSeen, "\(value)")
      #expect(try devices.operationIDs(by: caller) == (isSeen ? [] : [Self.id]), "\(value)")
    }
  }

  @Test("plain operation files of earlier versions can be read, and are removed at sign-out")
  func formerFiles() throws {
    let former: JSONObject = [
      "account": "alice", "containerIdentifier": .string(TemporaryCloud.container), "content": .object(Self.content),
      "environment": "development", "kept": "2026-01-01T00:00:00.000Z", "operationID": .string(Self.id),
    ]
    _ = try cloud.directory("devices/phone").makeDirectory("operations")
    try write(former, "\(Self.id).json", mode: 0o644)
    #expect(try devices.operationIDs(by: caller) == [Self.id])
    #expect(try devices.storedOperation(Self.id, by: caller) == Self.content)
    #expect(try service.checks.check() == [])
    try finish()
    #expect(try answers() == Self.answers)
    _ = try devices.signOut("phone")
    #expect(try names() == [])
  }

  @Test("without an account an operation with encrypted values is refused")
  func withoutAnAccountAnOperationWithEncrypted() throws {
    let nobody = cloud.caller(nil)
    #expect(code { try store(by: nobody) } == .notAuthenticated)
    try store(isSecret: false, by: nobody)
    #expect(try names("nobody") == ["\(Self.id).json"])
  }

  @Test("without libcrypto only operations with encrypted values fail, and the error names the package to install")
  func withoutLibrary() throws {
    try store()
    var settings = service.settings
    settings.cryptography = { () throws(CryptographyError) in throw .unavailable(["libcrypto.so.3"]) }
    let service = CloudService(cloud: cloud.service.cloud, settings: settings)
    let errors = [
      failure { try service.devices.storedOperation(Self.id, by: caller) },
      failure { try service.devices.storeOperation(Self.other, [:], isSecret: true, by: caller).id },
    ]
    for error in errors { #expect(error?.cause == .missingLibrary && error?.hint?.contains("libssl3") == true) }
    #expect(try service.devices.operationIDs(by: caller) == [Self.id])
    try service.devices.storeOperation(Self.other, Self.content, isSecret: false, by: caller).release()
    #expect(try service.devices.storedOperation(Self.other, by: caller) == Self.content)
    try service.devices.removeOperation(Self.id, by: caller)
    #expect(try service.devices.operationIDs(by: caller) == [Self.other])
  }

  @Test("a private key that is in no keychain is a clear error; a copy on another device of the account is used")
  func lostKey() throws {
    try store()
    #expect(code { try Person(cloud, "alice").makeZone() } == nil)
    let alice = Person(cloud, "alice")
    try alice.save(alice.secret("note", "s"))
    // The account's own device has copied the key.
    try cloud.directory("devices/phone").remove("keychain.json")
    #expect(try devices.storedOperation(Self.id, by: caller) == Self.content)
    for device in ["phone", "alice-device"] { try cloud.directory("devices/\(device)").remove("keychain.json") }
    let error = failure { try devices.storedOperation(Self.id, by: caller) }
    #expect(error?.message.contains("is in no keychain") == true)
    #expect(error?.hint?.contains("reset-keys") == true)
    #expect(code { try store(Self.other) } == .internalError)
  }

  // MARK: With the account

  @Test("signing out, or another account's sign-in, removes the account's operations on that device [account-change-2]")
  func signingOutOrAnotherAccountsSign() throws {
    let alices = cloud.caller("alice")
    func fill() throws {
      try store()
      try finish()
      try store(Self.other, isSecret: false)
      try store(by: alices)
    }
    try fill()
    _ = try devices.signOut("phone")
    #expect(try names() == [])
    #expect(try devices.operationIDs(by: alices) == [Self.id])
    _ = try devices.signIn("alice", on: "phone")
    try fill()
    _ = try devices.signIn("bob", on: "phone")
    #expect(try names() == [])
    #expect(try devices.operationIDs(by: alices) == [Self.id])
    // The account's own device.
    _ = try devices.signIn("bob", on: "alice-device")
    #expect(try names("alice-device") == [])
    #expect(try service.checks.check() == [])
  }

  @Test("a repeated sign-in of the same account removes no operation, also if the device had no file")
  func repeatedSignInOfTheSameAccount() throws {
    try store()
    _ = try devices.signIn("alice", on: "phone")
    #expect(try names() == ["\(Self.id).json"])
    try cloud.directory("devices/phone").remove("device.json")
    _ = try devices.signIn("alice", on: "phone")
    #expect(try names() == ["\(Self.id).json"])
  }

  @Test("removing an account removes its operations [account-change-2]")
  func removingAnAccountRemovesItsOperations() throws {
    try store()
    try finish()
    try service.accounts.removeAccount("alice")
    #expect(try names() == [])
  }

  @Test("a process that started before its account was signed out can store neither operations nor answers")
  func processThatStartedBeforeItsAccount() throws {
    let held = try devices.storeOperation(Self.id, Self.content, isSecret: true, by: caller)
    _ = try devices.signIn("bob", on: "phone")
    try devices.finishOperation(held, Self.answers, isSecret: true, by: caller)
    #expect(try names() == [])
    let error = failure { try devices.storeOperation(Self.other, Self.content, isSecret: true, by: caller).id }
    #expect(error?.code == .notAuthenticated)
    #expect(error?.hint?.contains("sign-in phone alice") == true)
    #expect(code { try store(isSecret: false) } == .notAuthenticated)
    _ = try devices.signOut("phone")
    #expect(code { try store(isSecret: false) } == .notAuthenticated)
    #expect(try names() == [])
  }

  @Test("a key reset removes the operations that are sealed for the old keys, in that container only")
  func keyResetRemovesTheOperations() throws {
    var elsewhere = caller
    elsewhere.container = "iCloud.other"
    try store()
    try store(Self.other, isSecret: false)
    try store("00000000000000AA", by: elsewhere)
    try store("00000000000000BB", isSecret: false)
    try finish("00000000000000BB")
    try store(by: cloud.caller("bob"))
    _ = try service.keys.resetKeys(of: "alice", container: TemporaryCloud.container)
    #expect(try names() == ["00000000000000AA.json", "\(Self.other).json"])
    #expect(try devices.storedOperation("00000000000000AA", by: elsewhere) == Self.content)
    #expect(try devices.storedOperation(Self.id, by: cloud.caller("bob")) == Self.content)
    try store()
    #expect(try devices.storedOperation(Self.id, by: caller) == Self.content)
  }

  @Test("an operation that is sealed with new keys during a reset survives the reset")
  func resetUnderWay() throws {
    try store()
    let calls = Counter()
    let (root, settings, caller) = (cloud.path, service.settings, caller)
    let fileSystem = FileSystem(observing: .allCalls) { call in
      // The account already has its new key generation, and the reset is about to change the keychains.
      guard case .openFile(let path) = call, path.hasSuffix("devices/.lock"), calls.next() == 1 else { return .proceed }
      let other = try? CloudService.open(root: root, settings: settings)
      try? other?.devices.storeOperation(Self.other, Self.content, isSecret: true, by: caller).release()
      return .proceed
    }
    let resetting = try CloudService.open(root: cloud.path, settings: settings, fileSystem: fileSystem)
    _ = try resetting.keys.resetKeys(of: "alice", container: TemporaryCloud.container)
    #expect(try names() == ["\(Self.other).json"])
    #expect(try devices.storedOperation(Self.other, by: caller) == Self.content)
  }

  // MARK: Killed processes

  @Test("a process killed at any call leaves no plain secret, and later operations remove its leftovers")
  func processKilledAtAnyCallLeaves() throws {
    var index: Int64 = 0
    var isOver = false
    while !isOver {
      index += 1
      let calls = Counter()
      let stop = index
      let fileSystem = FileSystem { call in
        call.changesTree && calls.next() == stop ? .stopBefore : .proceed
      }
      let dying = try CloudService.open(root: cloud.path, settings: service.settings, fileSystem: fileSystem)
      do {
        let held = try dying.devices.storeOperation(Self.id, Self.content, isSecret: true, by: caller)
        try dying.devices.finishOperation(held, Self.answers, isSecret: true, by: caller)
        isOver = true
      } catch {}
      #expect(try SecretSearch([Self.secret]).paths(below: cloud.path) == [], "call \(stop)")
      #expect(try exposedDeviceFiles(in: cloud.path) == [], "call \(stop)")
    }
    #expect(index > 8)
    try devices.removeOperation(Self.id, by: caller)
    try store(Self.other, isSecret: false)
    #expect(try names() == ["\(Self.other).json"])
    _ = try cloud.directory(folder).createFile(".\(Self.id)-answers.json.new")
    _ = try devices.signOut("phone")
    #expect(try names() == [])
  }
}
