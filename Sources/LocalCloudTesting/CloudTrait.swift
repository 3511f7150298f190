@_exported import LocalCloud
import LocalCloudEmulator
import Synchronization

// A statically linked build has no module Testing.
#if canImport(Testing)
  import Testing

  /// Gives a test a cloud of its own. See ``Trait/cloud(people:schema:seed:clock:container:keep:)``.
  public struct CloudTrait: TestTrait, SuiteTrait, TestScoping {
    let plan: TemporaryRoot.Plan
    let keep: LocalCloud.Keep

    /// Each test of a suite has a cloud of its own.
    public var isRecursive: Bool { true }

    /// Runs a test case with a new cloud.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let cloud = try await TemporaryRoot.onThread { try LocalCloud.TemporaryCloud(plan, keep) }
      let failure = TestFailure()
      do {
        try await cloud.withScope { try await failure.observe(test, testCase, function) }
      } catch {
        try? await end(cloud, failed: true)
        throw error
      }
      try await end(cloud, failed: failure.isRecorded)
    }

    private func end(_ cloud: LocalCloud.TemporaryCloud, failed: Bool) async throws {
      #if compiler(>=6.2)
        if cloud.isKept(failed: failed) { Attachment.record(cloud.path, named: "localcloud-root.txt") }
      #endif
      try await TemporaryRoot.onThread { try cloud.end(failed: failed) }
    }
  }

  extension Trait where Self == CloudTrait {
    /// Gives each test, and each case of a test with arguments, a cloud of its own.
    ///
    /// ```swift
    /// @Test(.cloud(people: "ada", "ben")) func adaSavesANote() async throws {
    ///   try await LocalCloud.acting(as: "ada") { … }
    /// }
    /// ```
    ///
    /// The cloud is the one of the test's scope: the functions of `LocalCloud` need no `root`, and `LocalCloud.cloud`
    /// returns it. With `@Suite` the trait holds for all tests of the suite and of the suites in it. Tests run at the
    /// same time. A test that can't have its cloud fails with the `CKError` of `LocalCloud.temporary`, and its function
    /// is not called.
    ///
    /// After a test, the mirrorings and listeners that use the cloud are stopped, and the cloud is removed. After a
    /// failed test, the cloud remains: the test has an attachment with the path of the cloud, and standard error has a
    /// line with it. A test has failed if its function throws, or if it recorded an issue.
    ///
    /// With a toolchain of version 6.1, only a thrown error counts, and there are no attachments. With version 6.2,
    /// known issues and warnings count, too.
    ///
    /// - Parameters:
    ///   - people: the names of the accounts. The e-mail address of `ada` is `ada@example.com`.
    ///   - schema: a text in Apple's schema language for the development environment.
    ///   - seed: makes the identifiers repeatable, as `LOCALCLOUD_SEED` does.
    ///   - clock: the time of all changes, as in `LOCALCLOUD_CLOCK`, for example `2026-01-31T12:00:00Z`.
    ///   - container: the identifier of the default container; nil: as without a scope.
    ///   - keep: when the files remain.
    public static func cloud(
      people: String..., schema: String? = nil, seed: String? = nil, clock: String? = nil, container: String? = nil,
      keep: LocalCloud.Keep = .onFailure
    ) -> Self {
      Self(
        plan: TemporaryRoot.Plan(people: people, schema: schema, seed: seed, clock: clock, container: container),
        keep: keep)
    }
  }

  /// Records whether a test case records an issue.
  private final class TestFailure: Sendable {
    private let flag = Atomic<Bool>(false)

    var isRecorded: Bool { flag.load(ordering: .acquiring) }

    func observe(
      _ test: Test, _ testCase: Test.Case?, _ function: @Sendable () async throws -> Void
    ) async throws {
      #if compiler(>=6.2)
        let issues = IssueHandlingTrait.compactMapIssues { [self] issue in
          #if compiler(>=6.3)
            if issue.isFailure { flag.store(true, ordering: .releasing) }
          #else
            flag.store(true, ordering: .releasing)
          #endif
          return issue
        }
        try await issues.provideScope(for: test, testCase: testCase, performing: function)
      #else
        try await function()
      #endif
    }
  }
#endif
