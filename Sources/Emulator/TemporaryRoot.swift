import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage

/// A cloud in a new folder below the system's temporary folder, for one test. Other users can't enter the folder.
///
/// The cloud is not synced to the disk: a power cut may lose it.
package struct TemporaryRoot: Sendable {
  /// The contents of a new cloud.
  package struct Plan: Sendable {
    package let people: [String]
    var schema: String?
    var seed: String?
    var clock: String?
    var container: String?

    /// - Parameters:
    ///   - people: the names of the accounts.
    ///   - schema: a text in the schema language, for development.
    ///   - seed: as in `LOCALCLOUD_SEED`.
    ///   - clock: the time at which the cloud's clock is fixed, as in `LOCALCLOUD_CLOCK`.
    ///   - container: the default container, as in `LOCALCLOUD_CONTAINER`.
    package init(people: [String], schema: String?, seed: String?, clock: String?, container: String?) {
      (self.people, self.schema) = (people, schema)
      (self.seed, self.clock, self.container) = (seed, clock, container)
    }
  }

  /// The folder. It has the cloud in `cloud`, and the folder of each person in `people`.
  private let path: String
  /// Acts in the cloud, in development, without an account.
  package let acting: ActingIdentity

  package var cloud: String { path + "/cloud" }

  /// Creates the cloud. Blocks on the disk.
  ///
  /// - Throws: `invalidArguments` for an invalid setting, name or schema, `serverRejectedRequest` for a name that is
  ///   given twice, `badContainer` for a schema with an invalid container; then no files remain.
  package init(_ plan: Plan) throws(ServiceError) {
    do { path = Settings.absolute(try Directory.makeTemporary().path) } catch { throw ServiceError(describing: error) }
    var acting = ActingIdentity()
    acting.root = path + "/cloud"
    acting.who = .signedOut
    acting.container = plan.container
    acting.environment = .development
    acting.seed = plan.seed
    self.acting = acting
    do throws(ServiceError) { try fill(plan) } catch {
      try? remove()
      throw error
    }
  }

  private func fill(_ plan: Plan) throws(ServiceError) {
    let settings = try Settings(acting, clock: plan.clock)
    let service = try Session.createCloud(settings, in: .withoutSyncs())
    OpenClouds.retain(service.cloud)
    if plan.clock != nil, let time = settings.clock.value { try service.clock.set(.fixed(time)) }
    let session = try Session(acting, settings: settings, as: .administrator)
    for person in plan.people {
      var changes = AccountChanges()
      changes.emails = ["\(person)@example.com"]
      _ = try session.service.accounts.addAccount(person, changes)
      do {
        _ = try Directory.open(path: path, in: FileSystem()).makingDirectory(at: [
          "people", FileName.encode(person), "stores",
        ])
      } catch {
        throw ServiceError(describing: error)
      }
    }
    if let schema = plan.schema { _ = try session.service.schemas.importSchema(schema, by: session.caller) }
  }

  /// The path of the folder for a person's Core Data stores.
  package func stores(of person: String) -> String { "\(path)/people/\(FileName.encode(person))/stores" }

  /// Ends this process's work in the folder, and removes the folder. Blocks.
  package func remove() throws(ServiceError) {
    close()
    do {
      let folder = try Directory.open(path: path, in: FileSystem())
      // A request that the test did not wait for may add a file to a folder that is being removed.
      for _ in 0..<100 {
        do { return try folder.removeTree() } catch {}
      }
      try folder.removeTree()
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// Ends this process's work in the folder, and names the cloud on standard error. Blocks.
  package func keep() {
    close()
    StandardStream.error.write("The cloud remains. To look at it: export LOCALCLOUD_ROOT=\(cloud)\n")
  }

  private func close() {
    FolderUsers.end(below: path)
    OpenClouds.release(cloud)
  }

  /// Runs blocking work on a thread, because the cooperative pool has only as many threads as there are cores.
  package static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      startThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
