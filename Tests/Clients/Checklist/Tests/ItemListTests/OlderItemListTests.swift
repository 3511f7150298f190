import CloudKit
import ItemLists
import LocalCloudTesting
import XCTest

final class OlderItemListTests: XCTestCase {
  private var cloud: LocalCloud.TemporaryCloud!

  override func setUpWithError() throws {
    cloud = try LocalCloud.TemporaryCloud(people: "ada", "ben", container: "iCloud.com.example.Checklist")
  }

  override func tearDownWithError() throws { try cloud.end(failed: testRun?.totalFailureCount != 0) }

  func testOwnLists() async throws {
    let adas = try await cloud.acting(as: "ada") {
      let list = try await ItemList.own()
      try await list.add("Buy milk")
      return try await list.texts()
    }
    XCTAssertEqual(adas, ["Buy milk"])
    let bens = try await cloud.acting(as: "ben") { try await ItemList.own().texts() }
    XCTAssertEqual(bens, [])
  }

  func testOfflineDevice() async throws {
    let code: CKError.Code? = try await cloud.acting(as: "ada") {
      try LocalCloud.setNetwork(.offline)
      do { _ = try await ItemList.own() } catch let error as CKError { return error.code }
      return nil
    }
    XCTAssertEqual(code, .networkUnavailable)
  }
}
