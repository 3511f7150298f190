import Foundation
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

@Suite("Attacks: forged change tokens and cursors")
struct AttackerTokenTests {
  let stage: AttackerStage

  init() throws { stage = try AttackerStage() }

  private func bytes(_ token: String) throws -> [UInt8] {
    let plain = token.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return [UInt8](
      try #require(Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))))
  }

  private func token(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// All records that Bob may receive by any token.
  private static let mine: Set<ExactName> = ["root", "child", "gone", "Share-1"]

  private func feed(_ token: String) throws {
    do {
      var next = token
      for _ in 0..<20 {
        let page = try stage.bob.changes(since: next, limit: 2)
        #expect(Self.mine.isSuperset(of: page.changed.map(\.id.name)), "\(token)")
        #expect(Self.mine.isSuperset(of: page.deleted.map(\.record.name)), "\(token)")
        next = page.token
        if !page.moreComing { return }
      }
    } catch let error as ServiceError {
      #expect(error.code == .changeTokenExpired, "\(token): \(error.message)")
    }
  }

  // [change-token-1]
  @Test("a foreign, cut or altered zone token, with every number replaced, never gives Bob a record outside his share")
  func zoneTokens() throws {
    try stage.bob.save(stage.bob.note("gone", parent: .set("root", zone: nil)))
    let early = try stage.bob.changes(limit: 1).token
    _ = try stage.bob.modify(delete: ["gone"]).deletes[0].get()
    try stage.alice.save(stage.alice.note("buried"))
    _ = try stage.alice.modify(delete: ["buried"]).deletes[0].get()
    for other in [
      try stage.alice.changes().token, try stage.alice.databaseChanges().token, try stage.carol.changes().token,
      try stage.bob.databaseChanges().token, "", "e30", "bnVsbA", "W10", String(repeating: "A", count: 1 << 17),
      "\u{0}",
    ] {
      try stage.refused(.changeTokenExpired, "\(other.prefix(200))") { try stage.bob.changes(since: other) }
    }
    for good in [early, try stage.bob.changes().token] {
      for length in stride(from: 0, to: good.count, by: 7) {
        try stage.refused(.changeTokenExpired, "cut", looking: false) {
          try stage.bob.changes(since: String(good.prefix(length)))
        }
      }
      let object = try #require(try JSONValue(parsing: bytes(good)).object)
      for key in object.keys + ["exceptions", "revoked", "walkEnd"] {
        for value in Self.values {
          var forged = object
          forged[key] = value
          try feed(token(JSONValue.object(forged).compact()))
        }
      }
    }
  }

  private static let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, 2, 5, 1 << 40, .max - 1, .max]

  private static var values: [JSONValue] {
    var values: [JSONValue] = numbers.map { .integer($0) }
    values += [.null, .bool(true), .string(""), .string("../x"), .array([]), .object([:]), .string("alice")]
    for first in numbers {
      for second in numbers {
        values.append(["Share-1": [.integer(first), .integer(second), .integer(second)]])
        values.append(["Share-own": [.integer(first), .integer(second), .integer(first)]])
      }
    }
    return values
  }

  @Test("the owner's own zone token with every number replaced: an expired token, or the feed; never a crash")
  func ownTokens() throws {
    let object = try #require(try JSONValue(parsing: bytes(stage.alice.changes(limit: 2).token)).object)
    for key in object.keys + ["walkEnd"] {
      for value in Self.values.prefix(17) {
        var forged = object
        forged[key] = value
        do { _ = try stage.alice.changes(since: token(JSONValue.object(forged).compact()), limit: 1) } catch let error
          as ServiceError
        {
          #expect(error.code == .changeTokenExpired)
        }
      }
    }
  }

  @Test("a forged database token never reveals zones of other people")
  func databaseTokens() throws {
    for person in [stage.bob, stage.mallory] {
      for other in [
        try stage.alice.databaseChanges().token, try stage.carol.databaseChanges().token, try stage.bob.changes().token,
        "", "e30", "x",
      ] {
        try stage.refused(.changeTokenExpired, "\(other)") { try person.databaseChanges(since: other) }
      }
      let good = try person.databaseChanges().token
      let object = try #require(try JSONValue(parsing: bytes(good)).object)
      for key in object.keys + ["walked"] {
        for value in Self.values.prefix(17) + [["zoneName": "A", "ownerRecordName": "_x"], ["zoneName": "Zzz"]] {
          var forged = object
          forged[key] = value
          do {
            let found = try person.databaseChanges(since: token(JSONValue.object(forged).compact()))
            let zones = found.changed + found.deleted.map(\.zone)
            #expect(Set(zones).isSubset(of: person.caller.account == "bob" ? [stage.bob.zone] : []), "\(forged)")
          } catch let error as ServiceError {
            #expect(error.code == .changeTokenExpired, "\(forged)")
          }
        }
      }
    }
  }

  @Test("a forged query cursor of another person, type or position returns only records that the caller may see")
  func forgedQueryCursorOfAnotherPersonType() throws {
    func query(_ person: Person, _ cursor: String? = nil, type: String = "Note") throws -> QueryRecordsResponse {
      try stage.service.queries.queryRecords(
        QueryRecordsRequest(scope: person.scope, zone: person.zone, recordType: type, limit: 1, cursor: cursor),
        by: person.caller)
    }
    let own = try #require(try query(stage.bob).cursor)
    for bad in ["", "x", String(own.dropLast(3)), String(own.dropFirst()), try stage.bob.changes().token] {
      #expect([.invalidArguments, .changeTokenExpired].contains(code { try query(stage.bob, bad) }), "\(bad)")
    }
    try stage.refused(.invalidArguments, "another type") { try query(stage.bob, own, type: "Other") }
    try stage.refused(.zoneNotFound, "a stranger") { try query(stage.mallory, own) }
    let object = try #require(try JSONValue(parsing: bytes(own)).object)
    for after in ["", "a", "hidden", "own", "../x", "\u{0}", "zzz", "hiddem\u{10FFFF}"] {
      var forged = object
      forged["after"] = .string(after)
      let found = try query(stage.bob, token(JSONValue.object(forged).compact())).records.map(\.id.name)
      #expect(Self.mine.isSuperset(of: found), "\(after)")
    }
  }
}
