import CloudKit
import CoreData

/// The objects in a share are deleted with the share. To keep them, the app first makes deep copies in the private
/// store: of the photos and of all their related objects.
extension PhotoLibrary {
  /// Copies the photos of a share, and waits until the copies are in iCloud. Photos that already have a copy, because
  /// the program was stopped in between, are skipped: a copy has its original's unique name.
  func copyPhotos(of share: CKShare, in store: NSPersistentStore) async throws {
    try await change {
      let copied = Set(
        try photos(in: privateStore).filter { persistence.zoneID(of: $0) == PersistenceController.defaultZoneID }
          .compactMap(\.uniqueName))
      for photo in try photos(of: share, in: store) where !copied.contains(photo.uniqueName ?? "") {
        try copy(photo)
      }
    }
  }

  private func copy(_ photo: Photo) throws {
    let copy = Photo(context: context)
    context.assign(copy, to: privateStore)
    (copy.title, copy.added, copy.uniqueName) = (photo.title, photo.added, photo.uniqueName)
    setData(photo.photoData?.data, photo.thumbnail?.data, of: copy)
    for case let rating as Rating in photo.ratings ?? NSSet() {
      let own = make(Rating.self, beside: copy)
      (own.value, own.photo) = (rating.value, copy)
    }
    for case let tag as Tag in photo.tags ?? NSSet() { try addTag(tag.name ?? "", to: copy) }
  }
}
