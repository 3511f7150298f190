import FaultInjection
import LocalCloudModel
import LocalCloudService

/// A small cloud that contains every kind of file: three people, mutual shares, deleted zones, long names, public
/// records.
struct CorruptionStage {
  /// The cloud's folder. `truth` holds the contents of every record in it.
  let image: FolderImage
  let truth: CorruptionTruth
  let files: [CorruptionFile]
  /// Strings that have a meaning in the cloud.
  let words: [String]

  /// Creates the cloud. With `compacting`, logs are compacted and journals emptied very often.
  init(compacting: Bool) throws {
    let cloud = try TemporaryCloud { settings in
      if compacting {
        settings.limits.checkpointBytes = 3000
        settings.limits.retainedChanges = 4
      }
    }
    try FullCloud.fill(cloud)
    let found = try cloud.service.checks.check()
    if !found.isEmpty { throw ServiceError(.internalError, "check finds a problem before any harm: \(found)") }
    image = try FolderImage(of: cloud.path)
    truth = try CorruptionTruth(of: cloud.service)
    files = CorruptionFile.files(in: image)
    words =
      ["a", "b", "c", "Share-1", "cloudkit.share", "DELETE_SELF", "NONE", "alice", "bob", "Notes", "Own", "Item", "_"]
      + ["REFERENCE", "INT64", "STRING_LIST", "recordName", "fields", "parent", "share", "sequence", "delete", "touch"]
      + [try cloud.service.accounts.userRecordName(by: cloud.caller("bob")), FullCloud.longName]
  }
}
