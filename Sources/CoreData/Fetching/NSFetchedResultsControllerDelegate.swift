import Foundation

/// A section of a controller's results at the time of the query.
public protocol NSFetchedResultsSectionInfo {
  /// The value at the controller's section key path, as a text; empty without a key path.
  var name: String { get }

  /// The section's title in an index, from ``NSFetchedResultsController/sectionIndexTitle(forSectionName:)``.
  var indexTitle: String? { get }

  /// The number of the section's objects.
  var numberOfObjects: Int { get }

  /// The objects in their order.
  var objects: [Any]? { get }
}

/// The kind of change of an object or a section.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// It was inserted.
  case insert = 1
  /// It was removed.
  case delete = 2
  /// Its index path changed, because a value that determines the order was changed. Other values may have changed, too.
  case move = 3
  /// It was changed, and its position stays the same.
  case update = 4
}

/// Is notified of changes to a controller's results.
///
/// - Difference: on Linux all functions are requirements with a default that does nothing. If a class conforms and only
///   its subclass has the function, the default is called.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// An object was inserted, removed, moved or updated. Called for each object, after the sections.
  ///
  /// - Parameter indexPath: The old index path; nil for an inserted object.
  /// - Parameter newIndexPath: The new index path; nil for a removed object.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section was inserted or removed. Called for each section, before the objects.
  ///
  /// - Parameter sectionIndex: The section's new index; for a removed section its old index.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// All changes at once, by object ID. Called last before ``controllerDidChangeContent(_:)``.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// The title of a section in an index; nil for the default title.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?

  /// The results are about to change: they still have their old values.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The results have changed, and all changes were reported.
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

  /// Nil: the section has its default title.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { nil }

  /// Does nothing.
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
}
