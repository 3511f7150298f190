import LocalCloudPlatform
import LocalCloudStorage

/// A transaction's changes to a zone's assets: the uploads that become assets, and the assets that no record refers to
/// any more.
struct AssetChanges {
  private var placed: [ContentName: AssetUpload] = [:]

  /// The name of an upload as an asset: that of an asset with the same bytes, otherwise the first free name.
  mutating func name(of upload: AssetUpload, in zone: ZoneFolder) throws -> ContentName {
    var number = 1
    while true {
      let name = ContentName(digest: upload.digest, size: upload.size, number: number)
      let isSame: Bool
      if let other = placed[name] {
        isSame = try other === upload || zone.areSame(upload, other)
      } else if let same = try zone.isSame(upload, name) {
        isSame = same
      } else {
        placed[name] = upload
        return name
      }
      if isSame { return name }
      number += 1
    }
  }

  /// The effects, derived from the keys that the transaction inserts into the index and removes.
  func effects(
    inserting inserted: Set<[UInt8]>, removing removed: Set<[UInt8]>, _ view: ZoneView
  ) throws -> (effects: [JournalEntry.Effect], uploads: [AssetUpload]) {
    let gained = Set(inserted.compactMap(IndexKey.asset(in:)))
    // A record may refer already to an asset that was missing and is uploaded again.
    let added = try placed.filter {
      try gained.contains($0.key) || view.hasReferrer(of: $0.key, besides: removed)
    }.sorted { $0.key < $1.key }
    let lost = try Set(removed.compactMap(IndexKey.asset(in:))).subtracting(gained).filter {
      try !view.hasReferrer(of: $0, besides: removed)
    }
    return (
      added.map { .move(.asset($0.key), from: $0.value.name) } + lost.sorted().map { .remove(.asset($0)) },
      added.map(\.value)
    )
  }
}
