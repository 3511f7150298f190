@_exported import Foundation
@_exported import LocalCloudFoundationPredicates

#if os(Linux)
  @_exported import LocalCloudLocation
#else
  @_exported import CoreLocation
#endif
