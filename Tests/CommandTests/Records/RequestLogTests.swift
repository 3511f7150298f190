import Foundation
import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The request log requests.jsonl")
struct RequestLogTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "a", as: "alice")
  }

  /// Runs a command with the request log. Returns the new lines for `request`.
  private func log(_ words: String..., request: String) throws -> [JSONValue] {
    let path = cli.root + "/requests.jsonl"
    try? FileManager.default.removeItem(atPath: path)
    _ = cli.run(words, as: "alice", variables: ["LOCALCLOUD_LOG": "on"])
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return try lines.map { try JSONValue(parsing: String($0)) }.filter { $0["request"]?.string == request }
  }

  @Test("a line of the request log has the database, and each item with its zone and error")
  func lineOfTheRequestLog() throws {
    let zone: JSONValue = ["zoneName": "Z"]
    let saved = try #require(try log("record", "save", "T", "-z", "Z", "-n", "a", request: "modifyRecords").first)
    #expect(saved["database"] == "private")
    #expect(saved["error"] == nil)
    let item = try #require(saved["items"]?.array?.first)
    #expect(item["recordName"] == "a")
    #expect(item["zoneID"] == zone)
    #expect(item["error"]?["ckErrorCode"] == 14)
    let fetched = try #require(try log("record", "get", "a", "x", "-z", "Z", request: "fetchRecords").first)
    let items = try #require(fetched["items"]?.array)
    #expect(items.map { $0["recordName"] } == ["a", "x"])
    #expect(items[0]["error"] == nil)
    #expect(items[1]["error"]?["ckErrorCode"] == 11)
    #expect(items[1]["error"]?["message"] == "Record not found: 'x'")
  }

  @Test("the request log names zones, subscriptions and queries")
  func requestLogNamesZonesSubscriptionsAndQueries() throws {
    let zones = try #require(try log("zone", "delete", "Y", "--yes", request: "modifyZones").first)
    #expect(zones["items"]?.array?.first?["zoneID"] == ["zoneName": "Y"])
    #expect(zones["items"]?.array?.first?["error"]?["ckErrorCode"] == 26)
    let subscriptions = try #require(try log("subscription", "delete", "s", request: "modifySubscriptions").first)
    #expect(subscriptions["items"]?.array?.first?["subscriptionID"] == "s")
    #expect(subscriptions["items"]?.array?.first?["error"]?["ckErrorCode"] == 11)
    let query = try #require(
      try log("record", "query", "T", "--database", "public", request: "queryRecords").first)
    #expect(query["database"] == "public")
    #expect(query["items"] == [["zoneID": ["zoneName": "_defaultZone"]]])
    let changes = try #require(try log("changes", "-z", "Z", request: "zoneChanges").first)
    #expect(changes["items"] == [["zoneID": ["zoneName": "Z"]]])
  }

  @Test("a request that is refused completely is logged with its items")
  func requestThatIsRefusedCompletelyIsLogged() throws {
    let line = try #require(
      try log("record", "save", "T", "-z", "Z", "-n", "_a", request: "modifyRecords").first)
    #expect(line["items"]?.array?.first?["recordName"] == "_a")
  }
}
