import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The clock in force: the process's own one has precedence over the cloud's ([clock-5]).
extension Settings {
  /// The clock of requests to the cloud in the folder `root`.
  func clock(in root: Directory) -> @Sendable () throws -> Int64 {
    if let time = clock.value { return { time } }
    return CloudClock(in: root).now
  }

  /// The time of the clock in force, in milliseconds since 1970. Needs no valid cloud.
  package func time() throws -> Int64 {
    if let time = clock.value { return time }
    guard let folder = try? Directory.open(path: root.value, in: FileSystem()) else { return systemTimeMilliseconds() }
    return try CloudClock(in: folder).now()
  }

  /// Names the histories of a copied cloud: from the seed if the clock is fixed as well, so that scripts that copy a
  /// cloud are reproducible; otherwise random.
  var branchName: Cloud.BranchName {
    guard let seed = seed.value else { return { HostProcess.randomBytes($1) } }
    let (own, root) = (clock.value, root.value)
    return { history, count in
      guard let clock = own ?? Self.fixedTime(ofCloudAt: root) else { return HostProcess.randomBytes(count) }
      return SeededIdentifiers.bytes(count, seed: seed, clock: clock, copyOf: history)
    }
  }

  private static func fixedTime(ofCloudAt root: String) -> Int64? {
    guard let folder = try? Directory.open(path: root, in: FileSystem()),
      case .fixed(let time)? = try? CloudClock(in: folder).setting()
    else { return nil }
    return time
  }
}
