@_exported import Foundation
@_exported import LocalCloudFoundationPredicates

/// A fetch of a framework that has predicates and no cloud.
public struct ObjectRequest {
  public var predicate: NSPredicate
  public var sortDescriptors: [NSSortDescriptor]

  public init(predicate: NSPredicate, sortDescriptors: [NSSortDescriptor]) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  public func matches(_ object: Any) -> Bool { predicate.evaluate(with: object) }
}
