import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import Testing

@testable import LocalCloudService

@Suite("Shares as JSON, and their links")
struct ShareCodingTests {
  @Test(
    "a link's last component has 1 to 64 letters, digits, hyphens and underscores, and a fragment or query is ignored",
    arguments: [
      ("0aZ9-_", "0aZ9-_"), ("0a#Title", "0a"), ("0a?x=1", "0a"), ("0a?x#y", "0a"), ("", nil), ("#Title", nil),
      ("0a/b", nil), ("0ä", nil), ("0 a", nil), (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
      (String(repeating: "x", count: 65), nil),
    ] as [(String, String?)])
  func linksLastComponentHas1To64(_ end: String, _ guid: String?) {
    #expect(ShareDetails.shortGUID(inURL: "https://www.icloud.com/share/" + end) == guid)
    #expect(ShareDetails.shortGUID(inURL: "https://icloud.com/share/" + end) == nil)
  }

  private func share(_ title: String?, _ guid: JSONValue? = "0guid", _ more: JSONObject = [:]) -> StoredRecord {
    var object: JSONObject = [
      "participants": [], "publicPermission": "NONE", "recordName": "Share-1", "recordType": "cloudkit.share",
    ]
    object["shortGUID"] = guid
    if let title { object["fields"] = ["cloudkit.title": ["type": "STRING", "value": .string(title)]] }
    for key in more.keys { object[key] = more[key] }
    return StoredRecord(object)
  }

  @Test("the title is the link's fragment, with underscores for spaces and percent escapes")
  func titleIsTheLinksFragmentWithUnderscores() throws {
    let link = "https://www.icloud.com/share/0guid"
    for (title, url) in [
      (nil, link), ("", link), ("Aa9-", link + "#Aa9-"), ("My notes", link + "#My_notes"),
      ("_é/", link + "#%5F%C3%A9%2F"),
    ] as [(String?, String)] {
      #expect(try ShareDetails(share(title)).url == url)
    }
    for guid: JSONValue? in [nil, "a/b", 1] { #expect(try ShareDetails(share("Title", guid)).url == nil) }

    var single = Participant(
      participantID: "p", identity: UserIdentity(), role: .privateUser, acceptance: .pending, permission: .readOnly)
    let details = try ShareDetails(share("My notes"))
    #expect(details.oneTimeURL(of: single) == nil)
    #expect(details.object(of: single)["oneTimeURL"] == nil)
    single.shortGUID = "0one"
    #expect(details.oneTimeURL(of: single) == "https://www.icloud.com/share/0one#My_notes")
    #expect(details.object(of: single)["oneTimeURL"] == "https://www.icloud.com/share/0one#My_notes")
    #expect(try ShareDetails(share(nil)).oneTimeURL(of: single) == "https://www.icloud.com/share/0one")
    #expect(ShareDetails().oneTimeURL(of: single) == nil)
    var listed = details
    listed.participants = [single]
    #expect(listed.links(of: share(nil)) == ["0guid", "0one"])
    #expect(listed.links(of: share(nil, nil)) == ["0one"])
  }

  @Test("an identity is read back as written, and two identities are compared by record name or address")
  func identityIsReadBackAsWritten() throws {
    var name = PersonName(given: "Ada", family: "Lovelace")
    (name.middle, name.prefix, name.suffix, name.nickname) = ("M", "P", "S", "N")
    for lookup in [nil, LookupInfo.email("a@b"), .phone("123"), .userRecordName("_a")] {
      for identity in [
        UserIdentity(userRecordName: "_a", name: name, lookup: lookup), UserIdentity(lookup: lookup),
      ] {
        #expect(UserIdentity(identity.object) == identity)
      }
    }
    #expect(UserIdentity().object == [:])
    let (one, other) = (UserIdentity(userRecordName: "_a"), UserIdentity(userRecordName: "_b"))
    let invited = UserIdentity(lookup: .email("a@b"))
    #expect(one.isSamePerson(as: one))
    #expect(!one.isSamePerson(as: other))
    #expect(invited.isSamePerson(as: invited))
    #expect(!UserIdentity().isSamePerson(as: UserIdentity()))
    #expect(!one.isSamePerson(as: invited))
    #expect(UserIdentity(userRecordName: "_b", lookup: .email("a@b")).isSamePerson(as: invited))
    #expect(one.hasAccount)
    #expect(!invited.hasAccount)
  }

  @Test("a participant's entry is read back as written, and an incomplete entry is refused")
  func participantsEntryIsReadBackAsWritten() throws {
    var participant = Participant(
      participantID: "p", identity: UserIdentity(userRecordName: "_a"), role: .administrator, acceptance: .pending,
      permission: .readOnly)
    #expect(participant.object["x-local"] == nil)
    #expect(Participant(participant.object) == participant)
    participant.added = 5
    participant.isApprovedRequester = true
    participant.shortGUID = "0one"
    #expect(participant.object["x-local"] == ["added": 5, "isApprovedRequester": true, "shortGUID": "0one"])
    #expect(Participant(participant.object) == participant)
    for key in ["acceptanceStatus", "participantId", "permission", "type", "userIdentity"] {
      for value: JSONValue? in [nil, 1] {
        var broken = participant.object
        broken[key] = value
        #expect(Participant(broken) == nil, "\(key)")
      }
    }
    var odd = participant.object
    odd["x-local"] = ["shortGUID": "../x"]
    #expect(try #require(Participant(odd)).shortGUID == nil)
  }

  @Test("permissions, roles and acceptance states have Apple's raw values and names")
  func permissionsRolesAndAcceptanceStates() {
    #expect([0, 1, 2, 3].compactMap { SharePermission(number: $0) } == [.unknown, .none, .readOnly, .readWrite])
    #expect(
      [0, 1, 2, 3, 4].compactMap { ParticipantRole(number: $0) }
        == [.unknown, .owner, .administrator, .privateUser, .publicUser])
    #expect([0, 1, 2, 3].compactMap { AcceptanceStatus(number: $0) } == [.unknown, .pending, .accepted, .removed])
    for number in [-1, 5] {
      #expect(SharePermission(number: number) == nil)
      #expect(AcceptanceStatus(number: number) == nil)
      #expect(ParticipantRole(number: number) == nil)
    }
    #expect(SharePermission(number: 4) == nil)
    #expect(AcceptanceStatus(number: 4) == nil)
    #expect([1, 2, 3].map { DatabaseScope(rawValue: $0)?.name } == ["public", "private", "shared"])
    #expect(DatabaseScope.allCases.allSatisfy { DatabaseScope(name: $0.name) == $0 })
    #expect(DatabaseScope(name: "Public") == nil)
    #expect(DatabaseScope.public.folders(of: "a") == ["public"])
    #expect(DatabaseScope.shared.folders(of: "a") == ["shared", "a"])
    #expect(
      [DiscoverabilityStatus.initialState, .couldNotComplete, .denied, .granted].map(\.name)
        == ["initialState", "couldNotComplete", "denied", "granted"])
  }

  @Test(
    "the error of a damaged share names the missing part",
    arguments: [
      ("publicPermission", nil, "publicPermission or participants is missing"),
      ("publicPermission", "SOME", "publicPermission or participants is missing"),
      ("participants", nil, "publicPermission or participants is missing"),
      ("participants", [[:]], "a participant is incomplete"), ("participants", [1], "a participant is incomplete"),
      ("requesters", [[:]], "one of requesters is incomplete"), ("blocked", [1], "one of blocked is incomplete"),
    ] as [(String, JSONValue?, String)])
  func errorOfADamagedShareNames(_ key: String, _ value: JSONValue?, _ reason: String) {
    var stored = share(nil)
    stored.object[key] = value
    let failure = error { try ShareDetails(stored) }
    #expect(failure?.message == "The record Share-1 is damaged: \(reason).")
    #expect(failure?.cause == .damage)
  }

  @Test("access requests are allowed only if the share's file states it") func accessRequestsAreAllowed() throws {
    for (value, areAllowed) in [(nil, false), (true, false), (false, true), (0, false)] as [(JSONValue?, Bool)] {
      var stored = share(nil)
      stored.object["denyAccessRequests"] = value
      #expect(try ShareDetails(stored).accessRequests.areAllowed == areAllowed)
    }
    let person: JSONValue = [["userIdentity": ["userRecordName": "_a"]]]
    let details = try ShareDetails(share(nil, "0guid", ["blocked": person, "x-local": ["root": "r"]]))
    #expect(details.accessRequests.blocked == [UserIdentity(userRecordName: "_a")])
    #expect(details.root == "r")
    #expect(details.object["blocked"] == person)
    #expect(details.object["requesters"] == nil)
    #expect(details.object["owner"] == nil)
    #expect(details.object["denyAccessRequests"] == nil)
  }
}
