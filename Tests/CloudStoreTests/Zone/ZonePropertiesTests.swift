import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("A zone's properties and histories")
struct ZonePropertiesTests {
  private var properties: ZoneProperties {
    ZoneProperties(name: "Notes", owner: "_alice", incarnation: "i1", base: 7, capabilities: 3, created: 1000)
  }

  /// Parses the properties' JSON with some members changed.
  private func parse(_ changes: JSONObject, without removed: [String] = []) throws -> ZoneProperties {
    var object = try #require(try JSONValue(parsing: properties.bytes).object)
    for (key, value) in changes { object[key] = value }
    for key in removed { object[key] = nil }
    return try ZoneProperties.parse(JSONValue.object(object).compact(), path: "zone.json")
  }

  @Test("a zone's properties are read as they were written, with unknown members")
  func roundTrip() throws {
    #expect(
      String(decoding: properties.bytes, as: UTF8.self) == """
        {
          "base": 7,
          "capabilities": 3,
          "created": 1000,
          "incarnation": "i1",
          "zoneID": {
            "ownerRecordName": "_alice",
            "zoneName": "Notes"
          }
        }

        """)
    var later = properties
    later.branch("b1", after: 9)
    later.shortGUID = "guid"
    later.object["encryptionScope"] = "perZone"
    later.object["unknown"] = [1]
    let read = try ZoneProperties.parse(later.bytes, path: "zone.json")
    #expect(read.bytes == later.bytes)
    #expect(read.histories == later.histories)
    #expect(read.base == 7)
    #expect(read.name == "Notes")
    #expect(read.owner == "_alice")
    #expect(read.incarnation == "i1")
    #expect(read.capabilities == 3)
    #expect(read.created == 1000)
    #expect(read.object["unknown"] == [1])
    #expect(read.shortGUID == "guid")
    #expect(read.object["encryptionScope"] == "perZone")
    later.shortGUID = nil
    #expect(later.object["shortGUID"] == nil)
    #expect(properties.shortGUID == nil)
    #expect(properties.indexOwner == Digest.hash64(Array("i1".utf8)))
  }

  @Test("properties with a missing member or one of the wrong type are damage")
  func propertiesWithAMissingMember() throws {
    for key in ["zoneID", "incarnation", "base", "capabilities", "created"] {
      #expect(reasonOfDamage { try parse([:], without: [key]) } == "not a zone's properties", "\(key)")
      #expect(reasonOfDamage { try parse([key: [1]]) } == "not a zone's properties", "\(key)")
    }
    for id in [["zoneName": "Notes"], ["ownerRecordName": "_alice"]] as [JSONValue] {
      #expect(reasonOfDamage { try parse(["zoneID": id]) } == "not a zone's properties")
    }
    #expect(reasonOfDamage { try ZoneProperties.parse(Array("[]".utf8), path: "p") } == "not a zone's properties")
    let reason = reasonOfDamage { try ZoneProperties.parse(Array("{".utf8), path: "p") }
    #expect(reason?.hasPrefix("not JSON: line 1, column 2: ") == true)
  }

  @Test("a zone's base sequence must leave room for later changes")
  func zonesBaseSequenceMustLeaveRoom() throws {
    for base in [0, 1 << 50] as [Int64] { #expect(try parse(["base": .integer(base)]).base == base) }
    for base in [-1, 1 << 50 + 1, .max, .min] as [Int64] {
      #expect(reasonOfDamage { try parse(["base": .integer(base)]) } == "not a zone's properties", "\(base)")
    }
  }

  @Test("later histories are read only with an identifier of at most 64 bytes and a valid start")
  func laterHistoriesAreRead() throws {
    let long = String(repeating: "h", count: 64)
    let read = try parse(["histories": [["id": .string(long), "after": .integer(1 << 60)], ["id": "b", "after": 0]]])
    #expect(read.histories.map(\.id) == ["i1", long, "b"])
    #expect(read.histories.map(\.after) == [7, 1 << 60, 0])
    #expect(read.histories.map(\.tagSuffix) == ["", "-" + long, "-b"])
    #expect(read.history.id == "b")
    let wrong: [JSONValue] = [
      ["id": "", "after": 1], ["id": .string(long + "h"), "after": 1], ["id": "b"], ["after": 1],
      ["id": "b", "after": -1], ["id": "b", "after": .integer(1 << 60 + 1)], ["id": 1, "after": 1], "b",
    ]
    for item in wrong {
      #expect(reasonOfDamage { try parse(["histories": [item]]) } == "not a zone's properties", "\(item)")
    }
    #expect(try parse(["histories": []]).histories.count == 1)
  }

  @Test("a token's position is in a zone's past up to the start of the next history")
  func tokensPositionIsInAZonesPast() {
    var zone = properties
    #expect(zone.includes("i1", 0))
    #expect(zone.includes("i1", .max))
    #expect(!zone.includes("other", 0))
    zone.branch("b1", after: 20)
    zone.branch("b2", after: 30)
    #expect(zone.includes("i1", 20))
    #expect(!zone.includes("i1", 21))
    #expect(zone.includes("b1", 30))
    #expect(!zone.includes("b1", 31))
    #expect(zone.includes("b2", 31))
    #expect(zone.includes("b2", .max))
    #expect(zone.history.id == "b2")
  }
}
