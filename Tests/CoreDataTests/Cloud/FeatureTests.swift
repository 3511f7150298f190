import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import TestSupport
import Testing

@testable import CoreData

/// Promises of Apple's notes on Core Data with CloudKit: schemas, data that two devices have, and synchronisation that
/// is switched off and on.
@Suite("Schemas, versions and switched synchronisation of a mirrored program", .timeLimit(.minutes(2)))
struct FeatureTests {
  private let cloud: TemporaryCloud
  private let folder: TemporaryFolder

  init() throws { (cloud, folder) = (try TemporaryCloud(), try TemporaryFolder()) }

  /// Posts with a title and a version; the later version of the program adds a subtitle.
  private static func model(isLater: Bool) -> NSManagedObjectModel {
    let post = NSEntityDescription()
    post.name = "Post"
    post.properties = [
      BlogModel.attribute("title", .string), BlogModel.attribute("version", .integer16, default: 1),
    ]
    if isLater { post.properties.append(BlogModel.attribute("subtitle", .string)) }
    let model = NSManagedObjectModel()
    model.entities = [post]
    return model
  }

  /// Starts the program on one of Alice's devices.
  private func start(
    _ device: String, isLater: Bool = false, isMirrored: Bool = true, environment: String = "development"
  ) throws -> NSPersistentCloudKitContainer {
    let container = try LocalCloud.acting(
      as: "alice", device: device, root: cloud.path, container: TemporaryCloud.container, environment: environment
    ) { NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: Self.model(isLater: isLater)) }
    let description = container.persistentStoreDescriptions[0]
    description.url = URL(fileURLWithPath: folder.path).appendingPathComponent("\(device).sqlite")
    for key in [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey] {
      description.setOption(true as NSNumber, forKey: key)
    }
    if !isMirrored { description.cloudKitContainerOptions = nil }
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  private func values(
    _ key: String, in container: NSPersistentCloudKitContainer, _ predicate: NSPredicate? = nil
  ) async throws -> [String] {
    let context = container.newBackgroundContext()
    return try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Post")
      request.predicate = predicate
      return try context.fetch(request).map { "\($0.value(forKey: key) ?? "nil")" }.sorted()
    }
  }

  @Test(
    "[note-5] an old program does not see a new field, retains it, and can filter new objects by their version")
  func oldPrograms() async throws {
    let (new, old) = (try start("phone", isLater: true), try start("tablet"))
    try await new.change { context in
      context.add("Post", ["title": "Plain", "subtitle": "More"])
      context.add("Post", ["title": "Fancy", "version": 2])
    }
    await new.drain()
    await old.drain()
    #expect(try await values("title", in: old) == ["Fancy", "Plain"])
    #expect(try await values("title", in: old, NSPredicate(format: "version <= 1")) == ["Plain"])
    try await old.change { try $0.post("Plain").setValue("Edited", forKey: "title") }
    await old.drain()
    await new.drain()
    #expect(try await values("title", in: new) == ["Edited", "Fancy"])
    #expect(try await values("subtitle", in: new) == ["More", "nil"])
  }

  @Test("[note-7] two devices that saved equal objects before their first synchronisation get both copies")
  func bothCopies() async throws {
    for device in ["phone", "tablet"] {
      let local = try start(device, isMirrored: false)
      try await local.change { $0.add("Post", ["title": "Welcome", "version": device == "phone" ? 1 : 2]) }
      try local.end()
    }
    let devices = [try start("phone"), try start("tablet")]
    for device in devices + devices { await device.drain() }
    for device in devices {
      #expect(try await values("title", in: device) == ["Welcome", "Welcome"])
      #expect(try await values("version", in: device) == ["1", "2"])
    }
  }

  @Test("[note-9] changes made while synchronisation was off are merged when it is on again")
  func offAndOn() async throws {
    let (first, tablet) = (try start("phone"), try start("tablet"))
    try await first.change { context in
      for title in ["One", "Two", "Three", "Four", "Five"] { context.add("Post", ["title": title]) }
    }
    await first.drain()
    await tablet.drain()
    try first.end()

    let off = try start("phone", isMirrored: false)
    #expect(off.engines.isEmpty)
    try await off.change { context in
      try context.post("One").setValue("One of the phone", forKey: "title")
      try context.post("Five").setValue(7, forKey: "version")
      context.delete(try context.post("Three"))
      context.add("Post", ["title": "New on the phone"])
    }
    try await tablet.change { context in
      try context.post("Two").setValue("Two of the tablet", forKey: "title")
      try context.post("Five").setValue("Five of the tablet", forKey: "title")
      context.delete(try context.post("Four"))
      context.add("Post", ["title": "New on the tablet"])
    }
    await tablet.drain()
    await off.drain()
    #expect(try await values("title", in: off) == ["Five", "Four", "New on the phone", "One of the phone", "Two"])
    try off.end()

    let on = try start("phone")
    for device in [on, tablet, on] { await device.drain() }
    let titles = [
      "Five of the tablet", "New on the phone", "New on the tablet", "One of the phone", "Two of the tablet",
    ]
    for device in [on, tablet] {
      #expect(try await values("title", in: device) == titles)
      #expect(try await values("version", in: device) == ["1", "1", "1", "1", "7"])
    }
  }

  @Test("[note-3] a reset of the development environment deletes its objects; later saves are exported again")
  func developmentReset() async throws {
    let (phone, tablet) = (try start("phone"), try start("tablet"))
    try await phone.change { $0.add("Post", ["title": "Before"]) }
    await phone.drain()
    await tablet.drain()
    try tablet.end()
    _ = try cloud.service.schemas.resetDevelopment(by: cloud.caller("alice"))
    await phone.drain()
    #expect(try await values("title", in: phone) == [])
    try await phone.change { $0.add("Post", ["title": "After"]) }
    await phone.drain()
    let again = try start("tablet")
    await again.drain()
    #expect(try await values("title", in: again) == ["After"])
    // Programs that keep running receive changes as before.
    var iterator = RemoteChange.stream(of: phone).makeAsyncIterator()
    try await again.change { $0.add("Post", ["title": "Heard"]) }
    while try await values("title", in: phone) != ["After", "Heard"] { _ = await iterator.next() }
  }

  @Test("[video-9] [note-4] production accepts only promoted record types and fields")
  func productionAcceptsOnlyPromotedRecordTypes() async throws {
    let release = try start("released", environment: "production")
    #expect {
      try release.initializeCloudKitSchema()
    } throws: { error in
      let error = error as? CKError
      return error?.code == .invalidArguments && "\(error?.localizedDescription ?? "")".contains("production schema")
    }
    try start("phone").initializeCloudKitSchema()
    _ = try cloud.service.schemas.deploySchema(by: cloud.caller("alice"))
    try await release.change { $0.add("Post", ["title": "Released"]) }
    await release.drain()
    let other = try start("other", environment: "production")
    await other.drain()
    #expect(try await values("title", in: other) == ["Released"])

    // A field of a later version is also refused until it is promoted.
    let later = try start("later", isLater: true, environment: "production")
    try await later.change { $0.add("Post", ["title": "Later", "subtitle": "More"]) }
    await later.drain()
    await other.drain()
    #expect(try await values("title", in: other) == ["Released"])
    // The error of the export's event names the missing field.
    let refusals = try later.engines[0].engine.events().compactMap { $0.error as? CKError }
      .flatMap { ($0.partialErrorsByItemID ?? [:]).values.map { $0 } }
    #expect(!refusals.isEmpty)
    #expect(refusals.allSatisfy { ($0 as? CKError)?.code == .invalidArguments })
    let words = "Cannot create or modify field 'CD_subtitle' in record 'CD_Post' in production schema"
    #expect(refusals.allSatisfy { "\($0)".contains(words) }, "\(refusals)")
    try start("tablet", isLater: true).initializeCloudKitSchema()
    _ = try cloud.service.schemas.deploySchema(by: cloud.caller("alice"))
    try await later.change { try $0.post("Later").setValue("Even later", forKey: "title") }
    await later.drain()
    await other.drain()
    #expect(try await values("title", in: other) == ["Even later", "Released"])
  }

  @Test(
    "production accepts a first share once it has the types of shares and move receipts [mirror-19]")
  func sharedInProduction() async throws {
    let developer = try start("phone")
    try await developer.change { $0.add("Post", ["title": "Made lazily", "version": 1]) }
    await developer.drain()
    _ = try cloud.service.schemas.deploySchema(by: cloud.caller("alice"))
    let release = try start("released", environment: "production")
    try await release.change { $0.add("Post", ["title": "Released"]) }
    await release.drain()
    func share(_ title: String, of container: NSPersistentCloudKitContainer) async throws -> CKShare {
      let context = container.newBackgroundContext()
      let post = try await context.perform { UncheckedBox(try context.post(title)) }
      let (_, share, _) = try await container.share([post.value], to: nil)
      await container.drain()
      _ = context
      return share
    }
    await #expect {
      _ = try await share("Released", of: release)
    } throws: {
      ($0 as? CKError)?.code == .invalidArguments
    }
    #expect(try release.fetchShares(in: nil).isEmpty)
    #expect(try await values("title", in: release) == ["Released"])

    try developer.initializeCloudKitSchema()
    _ = try await share("Made lazily", of: developer)
    _ = try cloud.service.schemas.deploySchema(by: cloud.caller("alice"))
    let shared = try await share("Released", of: release)
    let other = try start("other", environment: "production")
    await other.drain()
    #expect(try await values("title", in: other) == ["Released"])
    #expect(try other.fetchShares(in: nil).map(\.recordID.zoneID.zoneName) == [shared.recordID.zoneID.zoneName])
  }
}
