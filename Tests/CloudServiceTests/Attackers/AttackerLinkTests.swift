import LocalCloudModel
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

@Suite("Attacks: share links")
struct AttackerLinkTests {
  let stage: AttackerStage
  let guid: String

  init() throws {
    stage = try AttackerStage()
    guid = try #require(ShareDetails.shortGUID(inURL: stage.url))
  }

  private static let prefix = "https://www.icloud.com/share/"

  private func metadata(_ url: String, _ caller: Caller) throws -> ShareMetadata {
    try stage.service.sharing.shareMetadata(ShareMetadataRequest(url: url, fetchesRootRecord: true), by: caller)
  }

  /// Both uses of a link fail with the same error as for a link that never existed.
  private func isDead(_ url: String, _ caller: Caller, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try stage.untouched(url, sourceLocation: sourceLocation) {
      let never = try stage.refused(.unknownItem, "never", looking: false) {
        try metadata(Self.prefix + "0never", caller)
      }
      for error in [
        try stage.refused(.unknownItem, "look \(url)", looking: false, sourceLocation: sourceLocation) {
          try metadata(url, caller)
        },
        try stage.refused(.unknownItem, "join \(url)", looking: false, sourceLocation: sourceLocation) {
          try stage.service.sharing.acceptShare(url: url, by: caller)
        },
      ] {
        #expect(error == never, sourceLocation: sourceLocation)
      }
    }
  }

  @Test("guessed, shortened, extended and altered link tokens lead to no share, even for an invited person")
  func guessedShortenedExtendedAndAlteredLinkTokens() throws {
    var tokens = (1..<guid.count).map { String(guid.prefix($0)) } + (1..<4).map { String(guid.dropFirst($0)) }
    tokens += [guid.lowercased(), guid.uppercased()].filter { $0 != guid }
    for index in [0, guid.count / 2, guid.count - 1] {
      var characters = Array(guid)
      characters[index] = characters[index] == "a" ? "b" : "a"
      tokens.append(String(characters))
    }
    tokens += [
      "", "0", guid + "0", "0" + guid, guid + ".json", guid + "/", guid + "/.", guid + "%23", guid + "\u{0}",
      guid + " ", guid + "\n", guid + "\u{301}", "../" + guid, "./" + guid, "x/../" + guid, "%2e%2e%2f" + guid,
      "..\\" + guid, "/" + guid, "~", ".", "..", "zone.json", ".journal", "lock", "*", "?" + guid, "#" + guid,
      String(repeating: "A", count: 64), String(repeating: "A", count: 65), String(repeating: "A", count: 300),
      String(repeating: "A", count: 100_000), "\u{202E}" + guid, "0\u{200B}" + guid.dropFirst(),
    ]
    for token in tokens { try isDead(Self.prefix + token, stage.dora.caller) }
  }

  @Test("a share link is accepted only with iCloud's own host and path ([share-link-1])")
  func shareLinkIsAcceptedOnlyWithIClouds() throws {
    for url in [
      "", guid, "http://www.icloud.com/share/" + guid, "https://icloud.com/share/" + guid,
      "HTTPS://www.icloud.com/share/" + guid, "https://www.icloud.com/Share/" + guid,
      "https://www.icloud.com.example.com/share/" + guid, "https://example.com/https://www.icloud.com/share/" + guid,
      "https://www.icloud.com@example.com/share/" + guid, " " + stage.url, "file:///shares/\(guid).json",
      "https://www.icloud.com/share//" + guid, "https://www.icloud.com/" + guid, "share/" + guid,
      "file://\(stage.cloud.path)/containers/\(TemporaryCloud.container)/shares/\(guid).json",
    ] {
      try isDead(url, stage.dora.caller)
    }
  }

  @Test("a fragment or query in a share link changes neither access nor refusal ([share-link-1])")
  func fragmentOrQueryInAShareLink() throws {
    for end in ["#", "#../../x", "?a=b", "#\u{0}"] {
      #expect(try metadata(Self.prefix + guid + end, stage.dora.caller).share.id.name == "Share-1")
      #expect(
        try stage.refused(.unknownItem, end) { try metadata(Self.prefix + guid + end, stage.mallory.caller) }
          == stage.refused(.unknownItem, end) { try metadata(Self.prefix + "0never" + end, stage.mallory.caller) })
    }
  }

  // [share-link-4]
  @Test(
    "a stranger gets the answer for an unknown link; joining is refused; neither error reveals anything of the share")
  func strangerGetsTheAnswerForAnUnknown() throws {
    let mallory = stage.mallory.caller
    let error = try stage.refused(.unknownItem, "look") { try metadata(stage.url, mallory) }
    #expect(try error == stage.refused(.unknownItem, "never") { try metadata(Self.prefix + "0never", mallory) })
    let refusal = try stage.refused(.permissionFailure, "join") {
      try stage.service.sharing.acceptShare(url: stage.url, by: mallory)
    }
    for word in ["alice", "Notes", "root", "Share-1", "bob"] {
      #expect(refusal.map { "\($0)".contains(word) } == false)
    }
    try stage.refused(.notAuthenticated, "signed out") { try metadata(stage.url, stage.cloud.caller(nil)) }
  }

  @Test("a link is unknown in the other environment; from another container no error names the share's container")
  func linkIsUnknownInTheOtherEnvironment() throws {
    for account in ["bob", "dora", "mallory"] {
      var caller = stage.cloud.caller(account)
      caller.environment = .production
      try isDead(stage.url, caller)
    }
    let guest = Caller(account: "mallory", container: "iCloud.elsewhere")
    try stage.refused(.unknownItem, "look from elsewhere") { try metadata(stage.url, guest) }
    let error = try stage.refused(.badContainer, "join from elsewhere") {
      try stage.service.sharing.acceptShare(url: stage.url, by: guest)
    }
    #expect(error.map { "\($0)".contains(TemporaryCloud.container) } == false)
    // An invited person may look up the link from each container.
    let invited = Caller(account: "dora", container: "iCloud.elsewhere")
    #expect(try metadata(stage.url, invited).container == TemporaryCloud.container)
  }

  @Test("an ended share's link is dead for all; shared again, it works only for people who are invited again")
  func endedSharesLinkIsDeadForAll() throws {
    _ = try stage.alice.modify(delete: ["Share-1"]).deletes[0].get()
    for account in ["alice", "bob", "dora", "mallory"] { try isDead(stage.url, stage.cloud.caller(account)) }
    try stage.alice.share("root", share: "Share-2", with: ["dora"])
    try stage.refused(.permissionFailure, "old member") {
      try stage.service.sharing.acceptShare(url: stage.url, by: stage.bob.caller)
    }
    _ = try stage.service.sharing.acceptShare(url: stage.url, by: stage.dora.caller)
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test("no container name leads to a path outside the tree ([record-name-5])")
  func noContainerNameLeadsToAPath() throws {
    for container in AttackerNames.all + [
      "iCloud.", "iCloud..x", "iCloud./", "iCloud.a/../../x", "icloud.test", "iCloud",
    ] {
      let caller = Caller(account: "dora", container: container)
      let service = stage.service
      let zone = stage.dora.zone
      let attacks: [(String, () throws -> Any)] = [
        ("look", { try metadata(stage.url, caller) }),
        ("join", { try service.sharing.acceptShare(url: stage.url, by: caller) }),
        ("people", { try service.sharing.participants(for: [.email("a@example.com")], by: caller) }),
        ("zones", { try service.zones.list(nil, in: .private, by: caller) }),
        ("public", { try service.zones.list(nil, in: .public, by: caller) }),
        ("make", { try service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: caller) }),
        ("save", { try service.records.modifyRecords(ModifyRecordsRequest(scope: .public), by: caller) }),
        (
          "fetch",
          {
            try service.records.fetchRecords(
              FetchRecordsRequest(scope: .shared, records: [stage.dora.id("root")]), by: caller)
          }
        ),
        ("feed", { try service.feeds.zoneChanges(ZoneChangesRequest(scope: .shared, zone: zone), by: caller) }),
        ("database", { try service.feeds.databaseChanges(DatabaseChangesRequest(scope: .shared), by: caller) }),
      ]
      try stage.untouched(container) {
        for (name, attack) in attacks {
          try stage.refused(.badContainer, "\(name) in '\(container)'", looking: false, attack)
        }
      }
    }
  }
}
