import LocalCloudObjectStore
import LocalCloudStorage
import Testing

@Suite("The account that a store is mirrored for")
struct MirroredAccountTests {
  private let account = MirroredAccount(
    user: "_alice", cloud: "2026-01-31T12:00:00.000Z", container: "iCloud.app", environment: "development")

  private func row(_ values: JSONObject) -> MirrorRow { MirrorRow(id: 1, key: StateKey.account, values: values) }

  @Test("the row has the values under their keys, and lacks those that are not set")
  func rowHasTheValues() {
    #expect(
      account.values == [
        "user": "_alice", "cloud": "2026-01-31T12:00:00.000Z", "container": "iCloud.app",
        "environment": "development",
      ])
    #expect(MirroredAccount().values == [:])
    #expect(MirroredAccount(isLeaving: true).values == ["isLeaving": true])
  }

  @Test("an account is read from its row, with values that an earlier version lacks")
  func accountIsReadFromItsRow() {
    #expect(MirroredAccount(row(account.values)) == account)
    #expect(MirroredAccount(row(["isLeaving": true])) == MirroredAccount(isLeaving: true))
    #expect(MirroredAccount(row(["user": "_alice", "later": 1])) == MirroredAccount(user: "_alice"))
    #expect(MirroredAccount(nil) == nil)
  }

  @Test("an environment differs by cloud, container or name; values that a store lacks do not count [mirror-23]")
  func environmentDiffers() {
    var other = account
    other.user = "_bob"
    #expect(!account.isOfOtherEnvironment(than: other))
    #expect(account.hasEnvironment(of: other))
    for change: (inout MirroredAccount) -> Void in [
      { $0.cloud = "other" }, { $0.container = "iCloud.other" }, { $0.environment = "production" },
    ] {
      var other = account
      change(&other)
      #expect(account.isOfOtherEnvironment(than: other))
      #expect(!account.hasEnvironment(of: other))
    }
    #expect(!MirroredAccount(user: "_alice").isOfOtherEnvironment(than: account))
    #expect(!MirroredAccount(user: "_alice").isOfOtherCloud(than: account))
  }
}
