import CoreData

/// The list of posts, as an app's first screen shows it: a row for each, shared ones marked.
final class PostList: NSObject, NSFetchedResultsControllerDelegate {
  let fetchedResultsController: NSFetchedResultsController<Post>
  var sharingProvider: any SharingProvider
  /// Called with each row that changes, after ``follow(_:)`` was called.
  private var say: ((String) -> Void)?
  private var rows: [NSManagedObjectID: String] = [:]

  init(context: NSManagedObjectContext, sharingProvider: any SharingProvider) {
    let request: NSFetchRequest<Post> = Post.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["tags"]
    fetchedResultsController = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    self.sharingProvider = sharingProvider
    super.init()
  }

  var numberOfRows: Int { fetchedResultsController.fetchedObjects?.count ?? 0 }

  func row(at indexPath: IndexPath) -> String { row(for: fetchedResultsController.object(at: indexPath)) }

  private func row(for post: Post) -> String {
    "\(post.title ?? "untitled")\(sharingProvider.isShared(object: post) ? "  (shared)" : "")"
  }

  // MARK: Changes

  /// Reports the rows, and then each change when it happens.
  func follow(_ say: @escaping (String) -> Void) throws {
    self.say = say
    fetchedResultsController.delegate = self
    try fetchedResultsController.performFetch()
    for post in fetchedResultsController.fetchedObjects ?? [] {
      rows[post.objectID] = row(for: post)
      say("  \(row(for: post))")
    }
  }

  /// Reports the rows that look different although their posts did not change: sharing does not change a post.
  func refreshMarks() {
    for post in fetchedResultsController.fetchedObjects ?? [] { showAgain(post) }
  }

  private func showAgain(_ post: Post) {
    let row = row(for: post)
    guard rows.updateValue(row, forKey: post.objectID) != row else { return }
    say?("changed: \(row)")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let post = anObject as? Post else { return }
    switch type {
    case .insert:
      let row = row(for: post)
      if rows.updateValue(row, forKey: post.objectID) == nil { say?("new: \(row)") }
    case .delete:
      if let row = rows.removeValue(forKey: post.objectID) { say?("gone: \(row)") }
    case .move, .update:
      rows[post.objectID] = row(for: post)
      say?("changed: \(row(for: post))")
    @unknown default:
      break
    }
  }
}
