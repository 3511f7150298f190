import CloudKit
import CoreData

/// Sharing without the system's sheet, by the methods with completion handlers, as an app calls them from a screen.
extension PersistenceController {
  /// Shares a photo in an existing share, or in a new one. Returns the objects that were moved into it.
  func share(_ photo: Photo, to share: CKShare?) async throws -> (objectIDs: Set<NSManagedObjectID>, share: CKShare) {
    try await withCheckedThrowingContinuation { continuation in
      // The photo is touched on its context's queue.
      persistentContainer.viewContext.perform { [persistentContainer] in
        persistentContainer.share([photo], to: share) { objectIDs, share, _, error in
          if let objectIDs, let share {
            continuation.resume(returning: (objectIDs, share))
          } else {
            continuation.resume(throwing: error ?? PhotosError.noShare)
          }
        }
      }
    }
  }

  /// Invites people. All of them may do the same.
  func addParticipants(
    _ addresses: [String], _ permission: CKShare.ParticipantPermission, to share: CKShare, in store: NSPersistentStore
  ) async throws -> CKShare {
    let people = addresses.map {
      $0.contains("@") ? CKUserIdentity.LookupInfo(emailAddress: $0) : CKUserIdentity.LookupInfo(phoneNumber: $0)
    }
    let participants: [CKShare.Participant] = try await withCheckedThrowingContinuation { continuation in
      persistentContainer.fetchParticipants(matching: people, into: store) { participants, error in
        if let participants, participants.count == people.count {
          continuation.resume(returning: participants)
        } else {
          continuation.resume(throwing: error ?? PhotosError.noPeople(addresses))
        }
      }
    }
    for participant in participants {
      participant.permission = permission
      participant.role = .privateUser
      share.addParticipant(participant)
    }
    return try await persist(share, in: store)
  }

  func deleteParticipant(
    _ participants: [CKShare.Participant], of share: CKShare, in store: NSPersistentStore
  ) async throws -> CKShare {
    for participant in participants { share.removeParticipant(participant) }
    return try await persist(share, in: store)
  }

  /// Sets a share's title, and the permission of every person with the link.
  func configure(
    share: CKShare, title: String, publicPermission: CKShare.ParticipantPermission, in store: NSPersistentStore
  ) async throws -> CKShare {
    share[CKShare.SystemFieldKey.title] = title
    share.publicPermission = publicPermission
    return try await persist(share, in: store)
  }

  func persist(_ share: CKShare, in store: NSPersistentStore) async throws -> CKShare {
    try await withCheckedThrowingContinuation { continuation in
      persistentContainer.persistUpdatedShare(share, in: store) { share, error in
        if let share {
          continuation.resume(returning: share)
        } else {
          continuation.resume(throwing: error ?? PhotosError.noShare)
        }
      }
    }
  }

  /// Ends an own share with everything in it, or leaves another user's share.
  func purge(_ share: CKShare, in store: NSPersistentStore) async throws {
    let _: CKRecordZone.ID = try await withCheckedThrowingContinuation { continuation in
      persistentContainer.purgeObjectsAndRecordsInZone(with: share.recordID.zoneID, in: store) { zoneID, error in
        if let zoneID {
          continuation.resume(returning: zoneID)
        } else {
          continuation.resume(throwing: error ?? PhotosError.noShare)
        }
      }
    }
  }

  /// The work of an app's delegate in `userDidAcceptCloudKitShareWith`.
  func accept(_ metadata: CKShare.Metadata, into store: NSPersistentStore) async throws {
    let _: [CKShare.Metadata] = try await withCheckedThrowingContinuation { continuation in
      persistentContainer.acceptShareInvitations(from: [metadata], into: store) { metadata, error in
        if let metadata {
          continuation.resume(returning: metadata)
        } else {
          continuation.resume(throwing: error ?? PhotosError.noShare)
        }
      }
    }
  }
}
