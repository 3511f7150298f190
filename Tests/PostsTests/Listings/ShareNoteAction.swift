import CloudKit
import CoreData

@testable import Posts

/// The block that the talk's `shareNoteAction` passes to the system's sheet; the sheet calls it when it needs the
/// share. The sheet and its button belong to UIKit.
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
