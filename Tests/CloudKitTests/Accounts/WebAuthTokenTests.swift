import CloudKit
import LocalCloud
import LocalCloudModel
import LocalCloudService
import Testing

@Suite("CKFetchWebAuthTokenOperation")
struct WebAuthTokenTests {
  private let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  private func caller(_ container: String = "iCloud.test", _ environment: CloudEnvironment = .development) -> Caller {
    Caller(account: nil, container: container, environment: environment)
  }

  @Test("a web token belongs to one account in one container and environment, and can be verified")
  func webTokenBelongsToOneAccount() async throws {
    let service = cloud.cloud.service
    let token = try await webAuthToken("key", cloud.container(of: "alice"))
    #expect(token.count >= 40)
    #expect(try await webAuthToken("another key", cloud.container(of: "alice")) == token)
    let others = [
      try await webAuthToken("key", cloud.container(of: "bob")),
      try await LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
        try await webAuthToken("key", cloud.container("iCloud.other"))
      },
      try await LocalCloud.acting(as: "alice", root: cloud.cloud.path, environment: "production") {
        try await webAuthToken("key", cloud.container())
      },
    ]
    #expect(Set(others + [token]).count == 4)
    #expect(try service.accounts.account(forWebAuthToken: token, by: caller())?.name == "alice")
    #expect(try service.accounts.account(forWebAuthToken: others[0], by: caller())?.name == "bob")
    #expect(try service.accounts.account(forWebAuthToken: others[1], by: caller()) == nil)
    #expect(try service.accounts.account(forWebAuthToken: others[1], by: caller("iCloud.other"))?.name == "alice")
    #expect(
      try service.accounts.account(forWebAuthToken: others[2], by: caller("iCloud.test", .production))?.name == "alice")
    for wrong in ["", "x", String(token.dropLast())] {
      #expect(try service.accounts.account(forWebAuthToken: wrong, by: caller()) == nil)
    }
    // The token is valid again after the account's status is restored.
    var changes = AccountChanges()
    changes.status = .restricted
    _ = try service.accounts.setAccount("alice", changes)
    #expect(throws: ServiceError.self) { try service.accounts.account(forWebAuthToken: token, by: caller()) }
    changes.status = .available
    _ = try service.accounts.setAccount("alice", changes)
    #expect(try service.accounts.account(forWebAuthToken: token, by: caller())?.name == "alice")
    #expect(try service.checks.check() == [])
  }

  @Test("without an API token or an account the operation fails")
  func withoutAnAPITokenOrAnAccount() async throws {
    #expect(await code { _ = try await webAuthToken("", cloud.container(of: "alice")) } == .invalidArguments)
    #expect(await code { _ = try await webAuthToken("key", cloud.container(of: nil)) } == .notAuthenticated)
    #expect(await code { _ = try await webAuthToken("key", cloud.container(of: "stranger")) } == .notAuthenticated)
    let without = try cloud.container(of: "alice")
    let failure = await withCheckedContinuation { done in
      let operation = CKFetchWebAuthTokenOperation()
      operation.fetchWebAuthTokenResultBlock = { done.resume(returning: $0.code) }
      without.privateCloudDatabase.add(operation)
    }
    #expect(failure == .invalidArguments)
  }

  @available(*, deprecated)
  @Test("the deprecated completion block gets the same token after the result block")
  func deprecatedCompletionBlockGetsTheSameToken() async throws {
    let container = try cloud.container(of: "alice")
    let lines = Collector<String>()
    let operation = CKFetchWebAuthTokenOperation()
    operation.apiToken = "key"
    #expect(operation.apiToken == "key")
    operation.fetchWebAuthTokenResultBlock = { lines.append("result \($0.value ?? "")") }
    operation.fetchWebAuthTokenCompletionBlock = { lines.append("completion \($0 ?? "") \($1 == nil)") }
    await withCheckedContinuation { done in
      operation.completionBlock = { done.resume() }
      container.publicCloudDatabase.add(operation)
    }
    let token = try await webAuthToken("key", container)
    #expect(lines.values == ["result \(token)", "completion \(token) true"])
  }
}
