import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudEmulator
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import LocalCloudCoreDataMirroring

/// A cloud with accounts, and devices with mirrored stores.
final class MirrorStage: Sendable {
  let cloud: TemporaryCloud
  static let container = TemporaryCloud.container

  init() throws { cloud = try TemporaryCloud() }

  /// An identity of a device. `account`: nil for the account that is signed in on the device, if any.
  func identity(_ account: String?, _ device: String) throws -> ActingIdentity {
    guard let account else {
      var acting = ActingIdentity()
      (acting.root, acting.device) = (cloud.path, device)
      return acting
    }
    let acting = try LocalCloud.acting(as: account, device: device, root: cloud.path) { ActingIdentity.current }
    return try #require(acting)
  }

  func device(
    _ account: String?, _ name: String, _ scope: CKDatabase.Scope = .private, isStarted: Bool = true,
    in fileSystem: FileSystem? = nil
  ) throws -> Device {
    let device = try Device(acting: try identity(account, name), scope: scope, in: fileSystem)
    if isStarted { try device.start() }
    return device
  }

  /// A container for plain CloudKit with this account, on a separate device.
  func container(of account: String) throws -> CKContainer {
    try LocalCloud.acting(as: account, device: "\(account)-plain", root: cloud.path) {
      CKContainer(identifier: Self.container)
    }
  }
}

/// A store and its mirroring.
final class Device: Sendable {
  let path: String
  let store: ObjectStore
  let scope: CKDatabase.Scope
  private let acting: ActingIdentity
  private let registry: MirroringRegistry
  /// The device that owns the store's files, if this is another program of it.
  private let twin: Device?
  private let state: Mutex<State>

  private struct State {
    var engine: MirroringEngine?
    var events: [MirroringEvent] = []
    var commits: [StoreCommit] = []
  }

  /// `fileSystem`: a file system for a durable store; nil for a faster store that is not durable.
  convenience init(acting: ActingIdentity, scope: CKDatabase.Scope, in fileSystem: FileSystem? = nil) throws {
    try self.init(ScratchFolder.newPath("store"), acting, scope, twin: nil, in: fileSystem)
  }

  /// Another program on the device, with the same store. Like another process, it receives no notifications inside the
  /// process. `acting`: another identity.
  func program(acting: ActingIdentity? = nil) throws -> Device {
    try Device(path, acting ?? self.acting, scope, twin: self)
  }

  private init(
    _ path: String, _ acting: ActingIdentity, _ scope: CKDatabase.Scope, twin: Device?, in fileSystem: FileSystem? = nil
  ) throws {
    self.path = path
    self.twin = twin
    registry = twin == nil ? .process : MirroringRegistry()
    var options = ObjectStore.Options()
    options.isDurable = fileSystem != nil
    store = try ObjectStore(path, schema: TestModel.schema, options: options, in: fileSystem ?? FileSystem())
    self.scope = scope
    self.acting = acting
    state = Mutex(State())
  }

  deinit {
    engine?.stop()
    if twin == nil { try? ScratchFolder.remove(path) }
  }

  // MARK: Mirroring

  var engine: MirroringEngine? { state.withLock { $0.engine } }
  var events: [MirroringEvent] { state.withLock { $0.events } }
  var commits: [StoreCommit] { state.withLock { $0.commits } }

  /// Starts the mirroring, or restarts it, as after a restart of the program.
  ///
  /// `leaseTimeout`: for how many seconds the mirroring waits for another program's lease.
  func start(
    step: (@Sendable (MirroringStep) throws -> Void)? = nil, leaseTimeout: Double = MirroringWorker.defaultLeaseTimeout,
    pollSeconds: Double = PublicImporter.interval
  ) throws {
    stop()
    let engine = MirroringEngine(
      store: store, containerIdentifier: MirrorStage.container, scope: scope, acting: acting,
      didCommit: { [weak self] commit in self?.state.withLock { $0.commits.append(commit) } },
      reportedError: { [url = URL(fileURLWithPath: path)] in CoreDataError.store($0, url: url) },
      event: { [weak self] event in self?.state.withLock { $0.events.append(event) } }, step: step,
      registry: registry, leaseTimeout: leaseTimeout, pollSeconds: pollSeconds)
    state.withLock { $0.engine = engine }
    engine.start()
  }

  /// Stops the mirroring and waits for the current run: it does not send later edits.
  func stop() {
    let engine = state.withLock { state in
      defer { state.engine = nil }
      return state.engine
    }
    guard let engine else { return }
    engine.stop()
    #expect(engine.finish())
  }

  func drain() async { await engine?.drain() }

  func require() throws -> MirroringEngine { try #require(engine) }

  /// The errors of finished runs of this kind, except for runs that ``stop()`` ended.
  func errors(_ kind: MirroringEvent.Kind) -> [NSError] {
    events.filter { $0.kind == kind && $0.endDate != nil }.compactMap { $0.error as NSError? }
      .filter { $0.code != MirroringError.stopped }
  }

  // MARK: Objects

  /// One save of a program.
  @discardableResult
  func save<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    let result = try store.write { transaction in
      transaction.author = "app"
      return try body(transaction)
    }.result
    engine?.saved()
    return result
  }

  @discardableResult
  func insert(
    _ entity: String, _ title: String, _ attributes: [String: StoredValue] = [:], toOnes: [String: RowID] = [:]
  ) throws -> RowID {
    try save { transaction in
      let id = transaction.newID(of: TestModel.entity(entity))
      var attributes = attributes
      attributes["title"] = .string(title)
      transaction.insert(StoredRow(id, attributes, toOnes: toOnes))
      return id
    }
  }

  func set(_ id: RowID, _ name: String, _ value: StoredValue) throws { try save { try $0.set(id, name, value) } }

  func relate(_ id: RowID, _ name: String, to target: RowID?) throws {
    try save { try $0.relate(id, name, to: target) }
  }

  func link(_ id: RowID, _ name: String, to other: RowID, _ isLinked: Bool = true) throws {
    try save { try $0.link(id, name, to: other, isLinked) }
  }

  func delete(_ id: RowID) throws { try save { try $0.deleteObject(id) } }

  func row(_ id: RowID) throws -> StoredRow? { try store.read { try $0.row(id) } }

  /// The object of this entity with this title.
  func find(_ entity: String, _ title: String) throws -> RowID? {
    try store.read { view in
      var found: RowID?
      try view.forEachRow(of: TestModel.entity(entity)) { row in
        if row["title"] == .string(title) { found = row.id }
        return found == nil
      }
      return found
    }
  }

  func titles(_ entity: String) throws -> [String] {
    try lines().filter { $0.hasPrefix(entity + " ") }.map { String($0.split(separator: " ")[1]) }
  }

  /// The store's contents by titles: two stores with the same objects have the same lines.
  func lines() throws -> [String] {
    try store.read { view in
      var lines: [String] = []
      func title(_ id: RowID) throws -> String {
        guard let row = try view.row(id), case .string(let title) = row["title"] else { return "?" }
        return title
      }
      for (index, entity) in TestModel.schema.entities.enumerated() {
        for id in try view.ids(of: index) {
          let row = try #require(try view.row(id))
          var words = ["\(entity.name) \(try title(id))"]
          for (attribute, value) in zip(entity.attributes, row.attributes)
          where attribute.name != "title" && !attribute.isDerived && value != .null {
            words.append("\(attribute.name)=\(try text(value))")
          }
          for relationship in entity.relationships {
            let relation = TestModel.schema.relationships[relationship]
            let targets =
              relation.isToMany
              ? try view.related(id, relationship)
              : entity.toOnes.firstIndex(of: relationship).flatMap { row.toOnes[$0] }.map { [$0] } ?? []
            if targets.isEmpty { continue }
            words.append("\(relation.name)=\(try targets.map(title).sorted())")
          }
          lines.append(words.joined(separator: " "))
        }
      }
      return lines.sorted()
    }
  }

  private func text(_ value: StoredValue) throws -> String {
    switch value {
    case .external(let file): "\(StoredValue.binary(try store.contents(of: file)))"
    default: "\(value)"
    }
  }
}

/// Waits until the condition is true, at most one minute. Only a failure takes that long.
func eventually(
  _ what: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async throws {
  for _ in 0..<3000 {
    if try await isSo() { return }
    try await Task.sleep(nanoseconds: 20_000_000)
  }
  Issue.record("never so: \(what)", sourceLocation: sourceLocation)
}

/// Expects that two stores have the same objects.
func expectSame(_ one: Device, _ other: Device, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let (lines, others) = (try one.lines(), try other.lines())
  #expect(lines == others, sourceLocation: sourceLocation)
}
