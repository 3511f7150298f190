import CloudKit
import CoreData

/// The program's queries about sharing, as a protocol, so that a test can provide the answers.
protocol SharingProvider {
  func isShared(object: NSManagedObject) -> Bool
  func isShared(objectID: NSManagedObjectID) -> Bool
  func participants(for object: NSManagedObject) -> [RenderableShareParticipant]
  func shares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: RenderableShare]
  func canEdit(object: NSManagedObject) -> Bool
  func canDelete(object: NSManagedObject) -> Bool
}

/// The displayed properties of a person. Tests can't make a `CKUserIdentity`.
protocol RenderableUserIdentity {
  var nameComponents: PersonNameComponents? { get }
  var lookupInfo: CKUserIdentity.LookupInfo? { get }
}

protocol RenderableShareParticipant {
  var renderableUserIdentity: RenderableUserIdentity { get }
  var role: CKShare.ParticipantRole { get }
  var permission: CKShare.ParticipantPermission { get }
  var acceptanceStatus: CKShare.ParticipantAcceptanceStatus { get }
}

protocol RenderableShare {
  var renderableParticipants: [RenderableShareParticipant] { get }
}

extension CKUserIdentity: RenderableUserIdentity {}

extension CKShare.Participant: RenderableShareParticipant {
  var renderableUserIdentity: RenderableUserIdentity { userIdentity }
}

extension CKShare: RenderableShare {
  var renderableParticipants: [RenderableShareParticipant] { participants }
}
