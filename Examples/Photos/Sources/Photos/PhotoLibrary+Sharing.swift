import CloudKit
import CoreData
import LocalCloud

/// Sharing without the system's sheet. The title identifies a share.
extension PhotoLibrary {
  // MARK: An owner's

  /// Shares a photo by a new share, and returns the share's link.
  func share(_ title: String, named name: String, _ permission: CKShare.ParticipantPermission) async throws -> URL {
    let photo = try await ownTags(title)
    let mark = monitor.mark
    let (_, share) = try await persistence.share(photo, to: nil)
    try await monitor.waitForExport(of: privateStore, since: mark)
    let saved = try await persistence.configure(
      share: share, title: name, publicPermission: permission, in: privateStore)
    return try link(of: saved)
  }

  /// Adds a photo to a share. If the share has a tag with the same name as one of the photo's, the tags are merged.
  func share(_ title: String, into name: String) async throws -> URL {
    let share = try ownShare(titled: name)
    let photo = try await ownTags(title)
    let mark = monitor.mark
    let (objectIDs, _) = try await persistence.share(photo, to: share)
    try await monitor.waitForExport(of: privateStore, since: mark)
    let merging = monitor.mark
    let tagObjectIDs = objectIDs.filter { $0.entity.name == Tag.entity().name }
    let hasMerged = try persistence.deduplicateAndWait(tagObjectIDs: Array(tagObjectIDs))
    if hasMerged { try await monitor.waitForExport(of: privateStore, since: merging) }
    return try link(of: share)
  }

  /// Sharing an object shares whatever it is related to: a tag of other photos, too, would take those along. The photo
  /// gets tags of its own instead.
  private func ownTags(_ title: String) async throws -> Photo {
    try await change {
      let photo = try photo(titled: title)
      guard photo.objectID.persistentStore == privateStore else { throw PhotosError.notOwner(title) }
      guard try container.fetchShares(matching: [photo.objectID]).isEmpty else {
        throw PhotosError.alreadyShared(title)
      }
      for case let tag as Tag in photo.tags ?? NSSet() where (tag.photos?.count ?? 0) > 1 {
        photo.removeFromTags(tag)
        photo.addToTags(makeTag(tag.name ?? "", beside: photo))
      }
      return photo
    }
  }

  func invite(_ addresses: [String], to title: String, _ permission: CKShare.ParticipantPermission) async throws {
    let share = try ownShare(titled: title)
    guard share.publicPermission == .none else { throw PhotosError.isPublic(title) }
    _ = try await persistence.addParticipants(addresses, permission, to: share, in: privateStore)
  }

  func setPermission(_ permission: CKShare.ParticipantPermission, of address: String, in title: String) async throws {
    let share = try ownShare(titled: title)
    try participant(address, of: share, title).permission = permission
    _ = try await persistence.persist(share, in: privateStore)
  }

  func remove(_ address: String, from title: String) async throws {
    let share = try ownShare(titled: title)
    let participant = try participant(address, of: share, title)
    _ = try await persistence.deleteParticipant([participant], of: share, in: privateStore)
  }

  private func participant(_ address: String, of share: CKShare, _ title: String) throws -> CKShare.Participant {
    let found = share.participants.first {
      let info = $0.userIdentity.lookupInfo
      return $0.role != .owner && (info?.emailAddress == address || info?.phoneNumber == address)
    }
    guard let found else { throw PhotosError.noParticipant(address, share: title) }
    return found
  }

  /// Ends a share, and deletes everything in it. With `keep`, copies of the photos stay as photos that are not shared.
  func stop(_ title: String, keep: Bool) async throws {
    let share = try ownShare(titled: title)
    if keep { try await copyPhotos(of: share, in: privateStore) }
    try await persistence.purge(share, in: privateStore)
  }

  // MARK: A participant's

  /// The work of the system when a person taps a link: fetch the metadata, and hand it to the app. The app then accepts
  /// the share. The shared objects arrive a little later. Returns the share's title.
  func accept(_ url: URL) async throws -> String {
    try await accept(try await persistence.cloudKitContainer.shareMetadata(for: url))
  }

  private func accept(_ metadata: CKShare.Metadata) async throws -> String {
    let mark = monitor.mark
    try await persistence.accept(metadata, into: sharedStore)
    try await monitor.wait(for: .import, of: sharedStore, since: mark)
    return titleText(metadata.share)
  }

  /// The part of an app that the system calls when links are opened. Ends after `count` links. If accepting a link was
  /// interrupted, the link is delivered again.
  func listen(_ count: Int, _ say: (String) -> Void, failed: @escaping @Sendable (any Error) -> Void) async throws {
    typealias Opened = (metadata: CKShare.Metadata, done: CheckedContinuation<Void, Never>)
    let (links, opened) = AsyncStream<Opened>.makeStream()
    let listener = try LocalCloud.onShareAccepted(in: persistence.cloudKitContainer, failed: failed) { metadata in
      await withCheckedContinuation { done in _ = opened.yield((metadata, done)) }
    }
    say("waiting")
    var iterator = links.makeAsyncIterator()
    for _ in 0..<count {
      guard let link = await iterator.next() else { break }
      do { say("Joined \(try await accept(link.metadata))") } catch { failed(error) }
      link.done.resume()
    }
    await listener.stop()
  }

  /// Leaves another user's share. With `keep`, copies of its photos stay as the user's own.
  func leave(_ title: String, keep: Bool) async throws {
    let (share, store) = try share(titled: title)
    guard store == sharedStore else { throw PhotosError.ownShare(title) }
    if keep { try await copyPhotos(of: share, in: sharedStore) }
    try await persistence.purge(share, in: sharedStore)
  }

  // MARK: Shares

  func shares() throws -> [(share: CKShare, store: NSPersistentStore)] {
    try [privateStore, sharedStore].flatMap { store in
      try container.fetchShares(in: store).sorted { titleText($0) < titleText($1) }.map { ($0, store) }
    }
  }

  func share(titled title: String) throws -> (CKShare, NSPersistentStore) {
    guard let found = try shares().first(where: { titleText($0.share) == title }) else {
      throw PhotosError.noShareTitled(title)
    }
    return found
  }

  private func ownShare(titled title: String) throws -> CKShare {
    let (share, store) = try share(titled: title)
    guard store == privateStore else { throw PhotosError.notOwnShare(title) }
    return share
  }

  func titleText(_ share: CKShare) -> String { share[CKShare.SystemFieldKey.title] as? String ?? "a share" }

  func link(of share: CKShare) throws -> URL {
    guard let url = share.url else { throw PhotosError.noShare }
    return url
  }

  /// To be called on the context's queue.
  func photos(of share: CKShare, in store: NSPersistentStore) throws -> [Photo] {
    try photos(in: store).filter { persistence.zoneID(of: $0) == share.recordID.zoneID }
  }
}
