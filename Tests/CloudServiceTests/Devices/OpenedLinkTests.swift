import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Opened links and verified addresses")
struct OpenedLinkTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("a", "1"))
  }

  private func share(with address: String = "bob@example.com") throws -> String {
    let name = address.split(separator: "@").map(String.init)
    let participants = try cloud.service.sharing.participants(for: [.email(address)], by: alice.caller).map {
      try $0.get()
    }
    let root = try alice.fetch("a")
    let save = RecordSave(
      id: alice.id(ExactName("Share-\(name[0])")), type: Record.shareType,
      share: ShareSave(root: "a", participants: participants))
    return try alice.modify([alice.note("a", tag: root.changeTag), save]).saves[1].get().shareDetails?.url ?? ""
  }

  private func waiting(_ account: String, device: String? = nil) throws -> [JSONObject?] {
    let inbox = try cloud.service.devices.inbox(of: cloud.caller(account, device: device))
    return try inbox.names().map { try inbox.message($0) }
  }

  @Test("only the device that opened a link gets a message ([share-screen-2])")
  func message() throws {
    let url = try share()
    let metadata = try cloud.service.devices.open(url: url, by: cloud.caller("bob", device: "laptop"))
    #expect(metadata.status == .pending)
    #expect(metadata.root?.name == "a")
    #expect(try waiting("bob") == [])
    let message = try #require(try waiting("bob", device: "laptop")[0])
    let link = try #require(OpenedLink(message))
    #expect(link.url == url)
    #expect(link.container == TemporaryCloud.container)
    #expect(link.environment == .development)
    #expect(message["kind"] == "openURL")
  }

  @Test("a tap on a link is one request, which a fault rule counts once ([fault-3])")
  func oneRequest() throws {
    let url = try share()
    var settings = cloud.service.settings
    settings.interceptor.faults = FaultSwitch(in: cloud.service.cloud, settings)
    let service = CloudService(cloud: cloud.service.cloud, settings: settings)
    _ = try service.faults.add([try FaultRule(.latency(0.001))])
    _ = try service.devices.open(url: url, by: cloud.caller("bob"))
    #expect(try service.faults.list().map(\.matched) == [1])
  }

  @Test("opening a link fails with the same errors as fetching its metadata, and leaves no message")
  func openingALinkFails() throws {
    let url = try share(with: "bob@work.example")
    #expect(code { try cloud.service.devices.open(url: url, by: cloud.caller(nil)) } == .notAuthenticated)
    #expect(code { try cloud.service.devices.open(url: url, by: cloud.caller("nobody")) } == .notAuthenticated)
    #expect(
      code { try cloud.service.devices.open(url: url, by: cloud.caller("bob")) } == .participantMayNeedVerification)
    #expect(
      code { try cloud.service.devices.open(url: "https://example.com", by: cloud.caller("bob")) } == .unknownItem)
    var production = cloud.caller("alice")
    production.environment = .production
    #expect(code { try cloud.service.devices.open(url: url, by: production) } == .unknownItem)
    var changes = AccountChanges()
    changes.status = .restricted
    _ = try cloud.service.accounts.setAccount("bob", changes)
    #expect(code { try cloud.service.devices.open(url: url, by: cloud.caller("bob")) } == .notAuthenticated)
    #expect(try waiting("bob") + waiting("alice") == [])
  }

  @Test("a verified address assigns the invitation to the account ([share-link-6], [account-address-1])")
  func verifiedAddressAssignsTheInvitation() throws {
    let url = try share(with: "bob@work.example")
    let bob = cloud.caller("bob")
    #expect(
      code { try cloud.service.devices.open(url: url, by: cloud.caller("carol")) } == .participantMayNeedVerification)
    let account = try cloud.service.accounts.verify(.email("BOB@work.example"), url: url, by: bob)
    #expect(account.emails == ["bob@example.com", "bob@work.example"])
    #expect(try cloud.service.devices.open(url: url, by: bob).status == .pending)
    // The invitation now belongs to Bob, so Carol gets the answer for an unknown link.
    #expect(code { try cloud.service.devices.open(url: url, by: cloud.caller("carol")) } == .unknownItem)
    // A second verification is no error and changes nothing.
    #expect(try cloud.service.accounts.verify(.email("bob@work.example"), url: url, by: bob) == account)
    _ = try cloud.service.sharing.acceptShare(url: url, by: bob)
    #expect(try cloud.service.accounts.verify(.email("bob@work.example"), url: url, by: bob) == account)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("verifying another account's address, or one without an invitation, is refused ([account-address-1])")
  func refusedAddresses() throws {
    let url = try share(with: "bob@work.example")
    let bob = cloud.caller("bob")
    #expect(code { try cloud.service.accounts.verify(.email("x@work.example"), url: url, by: bob) } == .unknownItem)
    #expect(code { try cloud.service.accounts.verify(.phone("+15550100"), url: url, by: bob) } == .unknownItem)
    #expect(code { try cloud.service.accounts.verify(.email("nonsense"), url: url, by: bob) } == .invalidArguments)
    #expect(code { try cloud.service.accounts.verify(.userRecordName("_a"), by: bob) } == .invalidArguments)
    #expect(code { try cloud.service.accounts.verify(.email("a@b"), url: "https://x", by: bob) } == .unknownItem)
    #expect(code { try cloud.service.accounts.verify(.email("a@b"), by: cloud.caller(nil)) } == .notAuthenticated)
    #expect(code { try cloud.service.accounts.verify(.email("carol@example.com"), by: bob) } == .serverRejectedRequest)
    _ = try cloud.service.accounts.verify(.email("bob@work.example"), url: url, by: cloud.caller("carol"))
    #expect(
      code { try cloud.service.accounts.verify(.email("bob@work.example"), url: url, by: bob) }
        == .serverRejectedRequest)
    #expect(try cloud.service.accounts.account("bob").emails == ["bob@example.com"])
    #expect(try cloud.service.accounts.verify(.phone("+1 555 0100"), by: bob).phones == ["+15550100"])
  }
}
