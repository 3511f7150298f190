/// The values of Core Location that CloudKit has, for programs that import them by that name. CloudKit itself does not
/// depend on this module: `canImport(CoreLocation)` is true only in the build of a package that asks for it.
@_exported import LocalCloudLocation
