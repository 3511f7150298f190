import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

/// Two changes that two devices make to the same objects before they import each other's.
struct Race: Sendable, CustomTestStringConvertible {
  typealias Change = @Sendable (Device) async throws -> Void

  var testDescription: String
  /// The change of each of the two devices.
  var one: Change
  var other: Change
  /// The contents of both devices in the end, if the first change is sent first, and if the other change is.
  var result: [String]
  var resultTurned: [String]

  init(_ name: String, _ one: @escaping Change, _ other: @escaping Change, _ result: [String], turned: [String]? = nil)
  {
    testDescription = name
    (self.one, self.other) = (one, other)
    (self.result, resultTurned) = (result, turned ?? result)
  }

  /// The contents of both devices before the changes.
  static func prepare(_ device: Device) throws {
    let post = try device.insert("Post", "P", ["content": .string("c"), "likes": .integer(1)])
    try device.insert("Post", "Q")
    let tag = try device.insert("Tag", "T")
    try device.insert("Tag", "U")
    try device.link(post, "tags", to: tag)
    try device.insert("Attachment", "X", toOnes: ["post": post])
  }

  private static func set(_ entity: String, _ title: String, _ name: String, _ value: StoredValue) -> Change {
    { try $0.set(try #require(try $0.find(entity, title)), name, value) }
  }

  private static func delete(_ entity: String, _ title: String) -> Change {
    { try $0.delete(try #require(try $0.find(entity, title))) }
  }

  private static func relate(_ post: String?) -> Change {
    { device in
      let target = try post.map { try #require(try device.find("Post", $0)) }
      try device.relate(try #require(try device.find("Attachment", "X")), "post", to: target)
    }
  }

  private static func link(_ post: String, _ tag: String, _ isLinked: Bool = true) -> Change {
    { device in
      let target = try #require(try device.find("Tag", tag))
      try device.link(try #require(try device.find("Post", post)), "tags", to: target, isLinked)
    }
  }

  private static let share: Change = { device in
    try device.start()
    _ = try await device.require().share([try #require(try device.find("Post", "P"))], to: nil)
    await device.drain()
    device.stop()
  }

  /// The contents before the changes, with new lines for some objects; nil for deleted ones.
  private static func contents(_ changes: [String: String?] = [:], added: [String] = []) -> [String] {
    let before = [
      "Attachment X": "post=[\"P\"]",
      "Post P": "content=string(\"c\") likes=integer(1) attachments=[\"X\"] tags=[\"T\"]",
      "Post Q": "", "Tag T": "posts=[\"P\"]", "Tag U": "",
    ]
    let lines = before.merging(changes.mapValues { $0 ?? "-" }) { $1 }.filter { $0.value != "-" }
    return (lines.map { $1.isEmpty ? $0 : "\($0) \($1)" } + added).sorted()
  }

  private static func post(
    content: String? = "string(\"c\")", likes: Int = 1, rest: String = "attachments=[\"X\"] tags=[\"T\"]"
  )
    -> [String: String?]
  {
    let words = [content.map { "content=" + $0 }, "likes=integer(\(likes))", rest.isEmpty ? nil : rest]
    return ["Post P": words.compactMap { $0 }.joined(separator: " ")]
  }

  static let all: [Race] = [
    Race(
      "of one field the value that is sent last is kept", set("Post", "P", "content", .string("a")),
      set("Post", "P", "content", .string("b")), contents(post(content: "string(\"b\")")),
      turned: contents(post(content: "string(\"a\")"))),
    Race(
      "of two fields both are kept", set("Post", "P", "content", .string("a")), set("Post", "P", "likes", .integer(2)),
      contents(post(content: "string(\"a\")", likes: 2))),
    Race(
      "a value that is cleared is a value", set("Post", "P", "content", .null),
      set("Post", "P", "content", .string("b")), contents(post(content: "string(\"b\")")),
      turned: contents(post(content: nil))),
    Race(
      "a reference to one object is one value", relate("Q"), relate(nil),
      contents(["Attachment X": ""].merging(post(rest: "tags=[\"T\"]")) { $1 }),
      turned: contents(
        ["Attachment X": "post=[\"Q\"]", "Post Q": "attachments=[\"X\"]"].merging(post(rest: "tags=[\"T\"]")) { $1 })),
    Race(
      "an object that is deleted is gone, whoever changes it", delete("Post", "P"),
      set("Post", "P", "content", .string("b")), contents(["Post P": nil, "Attachment X": "", "Tag T": ""])),
    Race(
      "an object that both delete is gone", delete("Post", "P"), delete("Post", "P"),
      contents(["Post P": nil, "Attachment X": "", "Tag T": ""])),
    Race(
      "what is related to an object that is deleted stays, without it", delete("Post", "Q"), relate("Q"),
      contents(["Post Q": nil, "Attachment X": ""].merging(post(rest: "tags=[\"T\"]")) { $1 })),
    Race(
      "what is inserted for an object that is deleted stays, without it", delete("Post", "Q"),
      { try $0.insert("Attachment", "Y", toOnes: ["post": try #require(try $0.find("Post", "Q"))]) },
      contents(["Post Q": nil], added: ["Attachment Y"])),
    Race(
      "a pair of an object that is deleted is gone", delete("Tag", "U"), link("P", "U"), contents(["Tag U": nil])),
    Race(
      "a pair that both link is one", link("Q", "U"), link("Q", "U"),
      contents(["Post Q": "tags=[\"U\"]", "Tag U": "posts=[\"Q\"]"])),
    Race(
      "of two pairs both are kept", link("P", "U"), link("Q", "T"),
      contents(
        ["Post Q": "tags=[\"T\"]", "Tag T": "posts=[\"P\", \"Q\"]", "Tag U": "posts=[\"P\"]"].merging(
          post(rest: "attachments=[\"X\"] tags=[\"T\", \"U\"]")
        ) { $1 })),
    Race(
      "a pair that one unlinks is gone, whatever becomes of its objects", link("P", "T", false),
      set("Post", "P", "content", .string("b")),
      contents(["Tag T": ""].merging(post(content: "string(\"b\")", rest: "attachments=[\"X\"]")) { $1 })),
    Race(
      "a pair that both unlink is gone", link("P", "T", false), link("P", "T", false),
      contents(["Tag T": ""].merging(post(rest: "attachments=[\"X\"]")) { $1 })),
    Race(
      "what is changed while it is shared is changed where it is", share, set("Post", "P", "content", .string("b")),
      contents(post(content: "string(\"b\")"))),
    Race(
      "what is deleted while it is shared is gone", share, delete("Post", "P"),
      contents(["Post P": nil, "Attachment X": "", "Tag T": ""])),
    Race(
      "what is linked to an object that is shared is shared", share, link("P", "U"),
      contents(["Tag U": "posts=[\"P\"]"].merging(post(rest: "attachments=[\"X\"] tags=[\"T\", \"U\"]")) { $1 })),
    Race(
      "a long value and a short one: the one that is sent last", set("Post", "P", "photo", .binary([1])),
      set("Post", "P", "photo", .null), contents(),
      turned: contents(post(rest: "photo=binary([1]) attachments=[\"X\"] tags=[\"T\"]"))),
  ]
}

/// The conflicts of two devices ([mirror-13]): each in both orders, with its result.
@Suite("Races of two devices")
struct RaceTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  @Test(
    "both orders of each conflict have the expected result [mirror-13] [mirror-14]", arguments: Race.all, [false, true])
  func bothOrdersOfEachConflict(_ race: Race, isTurned: Bool) async throws {
    let (phone, tablet) = (try stage.device("alice", "phone"), try stage.device("alice", "tablet"))
    try Race.prepare(phone)
    await phone.drain()
    await tablet.drain()
    for device in [phone, tablet] {
      device.stop()
      #expect(try device.lines() == phone.lines())
    }
    // The change that is sent first is made first: a share is sent when it is created.
    let (first, second) = isTurned ? (tablet, phone) : (phone, tablet)
    try await (isTurned ? race.other : race.one)(first)
    try await (isTurned ? race.one : race.other)(second)
    for device in [first, second, first, second] {
      if device.engine == nil { try device.start() }
      await device.drain()
    }
    let expected = isTurned ? race.resultTurned : race.result
    let fresh = try stage.device("alice", "fresh")
    await fresh.drain()
    for device in [phone, tablet, fresh] { #expect(try device.lines() == expected) }
    for device in [phone, tablet] {
      #expect(device.errors(.export) == [])
      #expect(device.errors(.import) == [])
      let waiting = try device.store.read { try $0.rows(prefix: StateKey.pending, in: .state).count }
      #expect(waiting == 0)
    }
  }
}
