import CoreData

/// A list as apps show it, updated by the delegate's methods.
final class ShelfList: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var labels: [String] = []
  private(set) var changes: [String] = []
  private let controller: NSFetchedResultsController<Shelf>

  init(_ context: NSManagedObjectContext) throws {
    let request = Shelf.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Shelf.label), ascending: true)]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    super.init()
    controller.delegate = self
    try controller.performFetch()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let shelf = anObject as? Shelf else { return }
    let isThere = newIndexPath.map { controller.object(at: $0) === shelf } ?? false
    changes.append("\(shelf.label ?? "") \(type.rawValue) \(isThere)")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    labels = []
    for object in controller.fetchedObjects ?? [] {
      if let shelf = object as? Shelf { labels.append(shelf.label ?? "") }
    }
    for section in controller.sections ?? [] {
      for object in section.objects ?? [] where object is Shelf { labels.append("in a section") }
    }
  }
}
