import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The changes of a program to its copy of a share, to be applied to the cloud's present version: participants accept
/// invitations at any time, and each acceptance changes the share's tag.
struct ShareRebase {
  /// The copy that the program changed, and the share before these changes.
  let changed: CKShare
  let base: CKShare

  /// Returns false if the changes can't be combined: the list of participants can only change while the share has no
  /// public permission.
  func apply(to share: CKShare) -> Bool {
    let isListChanged = changed.participants.map(\.participantID) != base.participants.map(\.participantID)
    if changed.publicPermission != base.publicPermission { share.publicPermission = changed.publicPermission }
    if isListChanged, share.publicPermission != .none { return false }
    for key in Set(changed.allKeys() + base.allKeys())
    where StoredValue(field: changed.object(forKey: key)) != StoredValue(field: base.object(forKey: key)) {
      share.setObject(changed.object(forKey: key), forKey: key)
    }
    for participant in changed.participants where participant != changed.owner {
      let known = base.participants.first { $0 == participant }
      let present = share.participants.first { $0 == participant }
      if known == nil, present == nil {
        share.addParticipant(participant)
      } else if let known, let present {
        if known.permission != participant.permission { present.permission = participant.permission }
        if known.role != participant.role { present.role = participant.role }
      }
    }
    for participant in base.participants
    where participant != base.owner && !changed.participants.contains(participant) {
      if let present = share.participants.first(where: { $0 == participant }) { share.removeParticipant(present) }
    }
    return true
  }
}
