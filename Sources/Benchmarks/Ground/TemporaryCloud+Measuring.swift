import CloudService
import Platform
import TestSupport

extension TemporaryCloud {
  /// With clock and ids as in use.
  static func forMeasuring(fileSystem: FileSystem = FileSystem()) throws -> TemporaryCloud {
    let cloud = try TemporaryCloud(fileSystem: fileSystem) { settings in
      settings.clock = systemTimeMilliseconds
      settings.identifiers = HostProcess.randomBytes
      settings.indexes = QueryIndexing()
    }
    Leftovers.keep(cloud)
    return cloud
  }
}
