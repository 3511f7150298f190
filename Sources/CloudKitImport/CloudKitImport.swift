// CloudKit under the name of its module on this platform, for the targets that build on it.
#if os(Linux)
  @_exported import CloudKit
#else
  @_exported import LocalCloudKit
#endif
