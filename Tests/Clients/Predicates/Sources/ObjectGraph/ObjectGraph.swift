@_exported import Foundation
@_exported import LocalCloudFoundationPredicates

/// A fetch request of a framework with predicates and without a cloud.
public struct ObjectRequest {
  public var predicate: NSPredicate
  public var sortDescriptors: [NSSortDescriptor]

  public init(predicate: NSPredicate, sortDescriptors: [NSSortDescriptor]) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  public func matches(_ object: Any) -> Bool { predicate.evaluate(with: object) }
}
