import CloudKit
import CoreData

/// Sharing without the system's sheet.
extension PostStore {
  /// Shares a post with every person that has the link, or with the people with these addresses. A post that is shared
  /// already stays in its share, and the share gets the new participants or permission.
  func share(
    _ title: String, with addresses: [String], _ permission: CKShare.ParticipantPermission
  ) async throws -> URL {
    let start = monitor.mark
    let (post, known) = try await context.perform {
      let post = try self.post(titled: title)
      guard post.objectID.persistentStore == privateStore else { throw PostsError.notOwner(title) }
      return (post, try container.fetchShares(matching: [post.objectID])[post.objectID])
    }
    if known == nil, try await context.perform({ try separateTags(of: post) }) {
      try await monitor.waitForExport(of: privateStore, since: start)
    }
    let participants = try await participants(addresses)
    let share: CKShare
    if let known {
      share = known
    } else {
      let mark = monitor.mark
      (_, share, _) = try await container.share([post], to: nil)
      try await monitor.waitForExport(of: privateStore, since: mark)
      share[CKShare.SystemFieldKey.title] = title
    }
    if addresses.isEmpty { share.publicPermission = permission }
    for participant in participants {
      participant.role = .privateUser
      participant.permission = permission
      share.addParticipant(participant)
    }
    let saved = try await container.persistUpdatedShare(share, in: privateStore)
    guard let url = saved.url else { throw PostsError.notShared(title) }
    return url
  }

  private func participants(_ addresses: [String]) async throws -> [CKShare.Participant] {
    guard !addresses.isEmpty else { return [] }
    let people = addresses.map {
      $0.contains("@") ? CKUserIdentity.LookupInfo(emailAddress: $0) : CKUserIdentity.LookupInfo(phoneNumber: $0)
    }
    let participants = try await container.fetchParticipants(matching: people, into: privateStore)
    guard participants.count == people.count else { throw PostsError.noPeople(addresses) }
    return participants
  }

  /// Sharing an object shares all related objects: if a tag has other posts, too, these would be shared. So the post
  /// gets tags of its own instead. Returns whether it got any.
  private func separateTags(of post: Post) throws -> Bool {
    for case let tag as Tag in post.tags ?? NSSet() where (tag.posts?.count ?? 0) > 1 {
      let own = make(Tag.self, beside: post)
      own.name = tag.name
      post.removeFromTags(tag)
      post.addToTags(own)
    }
    guard context.hasChanges else { return false }
    try context.save()
    return true
  }

  /// The work of the system when a person taps a link: fetch the metadata, and hand it to the app. The app then accepts
  /// the share. The shared objects arrive a little later. Returns the share's title.
  func accept(_ url: URL) async throws -> String {
    let metadata = try await stack.cloudKitContainer.shareMetadata(for: url)
    let mark = monitor.mark
    _ = try await container.acceptShareInvitations(from: [metadata], into: sharedStore)
    try await monitor.wait(for: .import, of: sharedStore, since: mark)
    return metadata.share[CKShare.SystemFieldKey.title] as? String ?? "a share"
  }

  // MARK: Ending it

  /// The owner ends a share with its zone, and everything in it. So the posts in it are copied first.
  func stopSharing(_ title: String) async throws {
    let mark = monitor.mark
    let zoneID = try await context.perform {
      let post = try post(titled: title)
      guard post.objectID.persistentStore == privateStore else { throw PostsError.notOwner(title) }
      guard let zoneID = self.zoneID(of: post) else { throw PostsError.notShared(title) }
      let request: NSFetchRequest<Post> = Post.fetchRequest()
      request.affectedStores = [privateStore]
      for post in try context.fetch(request) where self.zoneID(of: post) == zoneID { copy(post) }
      try context.save()
      return zoneID
    }
    try await monitor.waitForExport(of: privateStore, since: mark)
    _ = try await container.purgeObjectsAndRecordsInZone(with: zoneID, in: privateStore)
  }

  private func copy(_ post: Post) {
    let copy = Post(context: context)
    context.assign(copy, to: privateStore)
    (copy.title, copy.content, copy.location) = (post.title, post.content, post.location)
    for case let tag as Tag in post.tags ?? NSSet() {
      let own = make(Tag.self, beside: copy)
      own.name = tag.name
      copy.addToTags(own)
    }
    for case let attachment as Attachment in post.attachments ?? NSSet() {
      let own = make(Attachment.self, beside: copy)
      let imageData = make(ImageData.self, beside: copy)
      imageData.data = attachment.imageData?.data
      (own.name, own.imageData, own.post) = (attachment.name, imageData, copy)
    }
  }

  /// A participant leaves by purging the zone in the shared store; the owner's posts stay.
  func leave(_ title: String) async throws {
    let zoneID = try await context.perform {
      let post = try post(titled: title)
      guard post.objectID.persistentStore == sharedStore else { throw PostsError.notParticipant(title) }
      guard let zoneID = self.zoneID(of: post) else { throw PostsError.notShared(title) }
      return zoneID
    }
    _ = try await container.purgeObjectsAndRecordsInZone(with: zoneID, in: sharedStore)
  }
}
