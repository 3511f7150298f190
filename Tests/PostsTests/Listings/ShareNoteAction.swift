import CloudKit
import CoreData

@testable import Posts

/// What the talk's `shareNoteAction` gives to the system's sheet, which asks for it when it needs the share. The sheet and
/// its button are UIKit's.
func shareNoteAction(
  _ post: Post, _ container: NSPersistentCloudKitContainer
) -> (_ completion: @escaping (CKShare?, CKContainer?, Error?) -> Void) -> Void {
  return { (completion: @escaping (CKShare?, CKContainer?, Error?) -> Void) in
    container.share([post], to: nil) { objectIDs, share, container, error in
      if let actualShare = share {
        post.managedObjectContext?.performAndWait {
          actualShare[CKShare.SystemFieldKey.title] = post.title
        }
      }
      completion(share, container, error)
    }
  }
}
