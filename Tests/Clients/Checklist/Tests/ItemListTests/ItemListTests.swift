import CloudKit
import ItemLists
import LocalCloudTesting
import Testing

@Suite(.cloud(people: "ada", "ben", container: "iCloud.com.example.Checklist"))
struct ItemListTests {
  @Test("a list has the item that was added", arguments: ["Buy milk", "Call Ben"])
  func addedItem(_ text: String) async throws {
    try await LocalCloud.acting(as: "ada") {
      let list = try await ItemList.own()
      try await list.add(text)
      #expect(try await list.texts() == [text])
    }
  }

  @Test("the owner receives an item that another person adds to the shared list")
  func sharedList() async throws {
    let (list, url) = try await LocalCloud.acting(as: "ada") {
      let list = try await ItemList.own()
      return (list, try await list.share())
    }
    let name = try await LocalCloud.acting(as: "ben") {
      try await ItemList.joined(by: url).add("Bring towels")
    }
    try await LocalCloud.acting(as: "ada") {
      let record = try await LocalCloud.wait(forRecord: CKRecord.ID(recordName: name, zoneID: list.zoneID))
      #expect(record["text"] as? String == "Bring towels")
    }
    #expect(try LocalCloud.cloud.people == ["ada", "ben"])
  }

  @Test("the cloud of a test's own trait stands in place of the suite's", .cloud(people: "carl"))
  func ownTrait() async throws {
    #expect(try LocalCloud.cloud.people == ["carl"])
    let texts = try await LocalCloud.acting(as: "carl", container: "iCloud.com.example.Checklist") {
      try await ItemList.own().texts()
    }
    #expect(texts == [])
  }
}
