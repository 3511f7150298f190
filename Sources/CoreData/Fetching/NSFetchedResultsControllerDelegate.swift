import Foundation

/// A section of a controller's results, as it was when it was asked for.
public protocol NSFetchedResultsSectionInfo {
  /// The value at the controller's key path for sections, as a text; empty without a key path.
  var name: String { get }

  /// The section's title in an index, of ``NSFetchedResultsController/sectionIndexTitle(forSectionName:)``.
  var indexTitle: String? { get }

  /// The number of the section's objects.
  var numberOfObjects: Int { get }

  /// The objects in their order.
  var objects: [Any]? { get }
}

/// What became of an object or a section.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// It came.
  case insert = 1
  /// It went.
  case delete = 2
  /// It is in another place, as a value that the order goes by was changed. It may have changed otherwise, too.
  case move = 3
  /// It was changed, and stays where it is.
  case update = 4
}

/// Told how a controller's results change.
///
/// - Difference: on Linux all functions are requirements with a default that does nothing. If a class conforms and only
///   its subclass has the function, the default is called.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// An object came, went, was moved or changed. Called for each one, after the sections.
  ///
  /// - Parameter indexPath: Where it was; nil for one that came.
  /// - Parameter newIndexPath: Where it is; nil for one that went.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section came or went. Called for each one, before the objects.
  ///
  /// - Parameter sectionIndex: Where it is, or was if it went.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// All changes at once, by the identities of the objects. Called last before ``controllerDidChangeContent(_:)``.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// The title that a section has in an index; nil for that which it has without a delegate.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?

  /// The results are about to change: they are still as they were.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The results have changed, and all changes were told.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
}

extension NSFetchedResultsControllerDelegate {
  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {}

  /// Nil: the title is the one that a section has without a delegate.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { nil }

  /// Does nothing.
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
}
