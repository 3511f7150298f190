/// The types of Core Location that CloudKit uses, for programs that import them under that name. CloudKit itself does
/// not depend on this module: `canImport(CoreLocation)` is true only in the build of a package that depends on it.
@_exported import LocalCloudLocation
