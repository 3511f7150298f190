import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// The results of a fetch request, updated while the context changes.
///
/// Use it only on its context's queue; the delegate is called there.
///
/// - Difference: there is no cache of sections on the disk. A request that was changed without
///   ``deleteCache(withName:)`` is still refused.
/// - Difference: on Linux the sections' name is read by key path, as all values are.
/// - Difference: on Linux a controller can't know the functions that its delegate implements. It calls all of them:
///   those for single changes also if there is one for the difference.
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  /// The request. It is not copied; changes to it take effect at the next ``performFetch()``.
  open private(set) var fetchRequest: NSFetchRequest<ResultType>

  /// The context to fetch from and to observe.
  open private(set) var managedObjectContext: NSManagedObjectContext

  /// The key path to the section value of an object; nil for one section.
  open private(set) var sectionNameKeyPath: String?

  /// The cache name of the sections; nil for no cache.
  open private(set) var cacheName: String?
  /// Notified of changes; without a delegate, the results are not updated.
  open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet { observe() }
  }

  private var results: FetchedResults? {
    didSet { (known, knownSections) = (nil, nil) }
  }
  private var known: [ResultType]?
  private var knownSections: [any NSFetchedResultsSectionInfo]?
  private var observation: (any NSObjectProtocol)?
  private var cached: CachedRequests.Request?
  /// The context's counters at the time of the fetch: of its changes, and of its resets.
  private var (fetchedChanges, fetchedResets) = (0, 0)

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - fetchRequest: The request. It must have sort descriptors (an empty list is accepted), and the first one must
  ///     sort the objects by section.
  ///   - context: The context to fetch from and to observe.
  ///   - sectionNameKeyPath: The key path to the section value of an object; nil for one section.
  ///   - name: The cache name of the sections; nil for no cache.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    guard fetchRequest.sortDescriptors != nil else {
      raiseException("An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    }
    self.fetchRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
  }

  /// Makes a controller that stands for a later one: its request names no entity, so that it can't fetch.
  public override init() {
    fetchRequest = NSFetchRequest()
    managedObjectContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  }

  deinit { if let observation { NotificationCenter.default.removeObserver(observation) } }

  /// Deletes the cache of a name, or all caches. Call it before changing a request with a cache.
  open class func deleteCache(withName name: String?) { CachedRequests.forget(name) }

  /// Fetches the results. Call it once before reading the results, and again after changing the request.
  ///
  /// - Throws: ``NSCoreDataError`` if the objects are not in the order of their sections.
  open func performFetch() throws {
    let fetched = try fetch()
    if let cacheName {
      let request = CachedRequests.Request(fetched.plan, sectionNameKeyPath)
      guard CachedRequests.set(request, for: cacheName, after: cached) else {
        raiseException(
          "FATAL ERROR: The persistent cache of section information does not match the current configuration.  You have "
            + "illegally mutated the NSFetchedResultsController's fetch request, its predicate, or its sort descriptor "
            + "without either disabling caching or using +deleteCacheWithName:",
          name: "NSInternalInconsistencyException")
      }
      cached = request
    }
    results = fetched
    let changes = managedObjectContext.changes
    (fetchedChanges, fetchedResets) = (changes.changeCount, changes.resetCount)
    observe()
  }

  private func fetch() throws -> FetchedResults {
    guard fetchRequest.resultType == .managedObjectResultType else {
      raiseException("NSFetchedResultsController does not support fetch requests of other results than managed objects")
    }
    let request = fetchRequest.converted(to: NSManagedObject.self)
    let plan = try FetchPlan(request, in: managedObjectContext)
    let objects = try managedObjectContext.fetch(request)
    let results = FetchedResults(objects, plan, sectionNameKeyPath: sectionNameKeyPath)
    if let (index, name) = results.outOfOrder {
      let reason =
        "The fetched object at index \(index) has an out of order section name '\(name). Objects must be sorted by "
        + "section name'"
      throw CoreDataError.error(NSCoreDataError, reason: reason, userInfo: ["reason": reason])
    }
    return results
  }

  // MARK: Results

  /// Nil before ``performFetch()``.
  open var fetchedObjects: [ResultType]? {
    if let known { return known }
    known = results?.objects.map { Self.cast($0) }
    return known
  }

  /// Nil before ``performFetch()``.
  open var sections: [any NSFetchedResultsSectionInfo]? {
    if let knownSections { return knownSections }
    knownSections = results.map { results in results.sections.map { info($0, results.objects) } }
    return knownSections
  }

  /// The titles of all sections, without duplicates.
  open var sectionIndexTitles: [String] {
    var known: Set<String> = []
    return (results?.sections ?? []).compactMap { sectionIndexTitle(forSectionName: $0.name) }.filter {
      known.insert($0).inserted
    }
  }

  /// The delegate's title for a section; by default the capitalised first letter of the name.
  @discardableResult
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    let own = delegate?.controller(erased, sectionIndexTitleForSectionName: sectionName)
    return own ?? sectionName.first.map { String($0).uppercased() }
  }

  /// The first section with a title.
  @discardableResult
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    guard let section = results?.sections.firstIndex(where: { sectionIndexTitle(forSectionName: $0.name) == title })
    else { raiseException("Index title at \(sectionIndex) is not equal to '\(title)'") }
    return section
  }

  /// The object at an index path of a section and an item. If there is none, or before ``performFetch()``, it raises an
  /// exception.
  @discardableResult
  open func object(at indexPath: IndexPath) -> ResultType {
    guard let results, indexPath.count == 2, results.sections.indices.contains(indexPath.section),
      results.sections[indexPath.section].range.count > indexPath.item, indexPath.item >= 0
    else { raiseException("no object at index path \(indexPath)") }
    return Self.cast(results.objects[results.sections[indexPath.section].range.lowerBound + indexPath.item])
  }

  /// The index path of an object in the results; nil if it is not among them.
  @discardableResult
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let results, let index = results.objects.firstIndex(where: { $0 === (object as AnyObject) }) else {
      return nil
    }
    return results.indexPath(index)
  }

  private func info(_ section: FetchedResults.Section, _ objects: [NSManagedObject]) -> SectionInfo {
    SectionInfo(section, objects, title: sectionIndexTitle(forSectionName: section.name))
  }

  private static func cast(_ object: NSManagedObject) -> ResultType {
    FetchedResult.cast(object, to: ResultType.self)
  }

  /// `self` with its generic argument erased, as the delegate's methods declare it. Both instantiations share one
  /// layout; see `reinterpreted(_:)`.
  private var erased: NSFetchedResultsController<any NSFetchRequestResult> {
    reinterpreted(self)
  }

  // MARK: Changes

  private func observe() {
    guard observation == nil, results != nil, delegate != nil else { return }
    let controller = UncheckedSendable(Weak(self))
    observation = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: managedObjectContext, queue: nil
    ) { notification in
      controller.value.object?.contextChanged(notification.userInfo ?? [:])
    }
  }

  private final class Weak {
    weak var object: NSFetchedResultsController?

    init(_ object: NSFetchedResultsController) { self.object = object }
  }

  private func contextChanged(_ info: [AnyHashable: Any]) {
    // After a reset the context contains none of the objects.
    let pending = managedObjectContext.changes
    guard let before = results, delegate != nil, pending.resetCount == fetchedResets else { return }
    let keys = [
      NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey, NSDeletedObjectsKey,
    ]
    let changed = keys.flatMap { Array(info[$0] as? Set<NSManagedObject> ?? []) }
    var new = before
    let event = pending.postedEvent ?? ChangeEvent()
    notify(new.update(changed, event, since: fetchedChanges), before, new)
  }

  private func notify(_ changes: FetchedResults.Changes, _ before: FetchedResults, _ new: FetchedResults) {
    guard !changes.isEmpty, let delegate else { return }
    let old = before.objects.map(\.objectID)
    delegate.controllerWillChangeContent(erased)
    results = new
    for (section, index, type) in changes.sections {
      let section = type == .delete ? FetchedResults.Section(name: section.name, range: 0..<0) : section
      let info = info(section, new.objects)
      delegate.controller(erased, didChange: info, atSectionIndex: index, for: type)
    }
    for change in changes.objects {
      delegate.controller(
        erased, didChange: change.object, at: change.old, for: change.type, newIndexPath: change.new)
    }
    let difference = new.objects.map(\.objectID).difference(from: old).inferringMoves()
    delegate.controller(erased, didChangeContentWith: difference)
    delegate.controllerDidChangeContent(erased)
  }
}

/// A section of a controller's results.
private final class SectionInfo: NSFetchedResultsSectionInfo {
  private let section: FetchedResults.Section
  private let all: [NSManagedObject]
  let indexTitle: String?

  init(_ section: FetchedResults.Section, _ objects: [NSManagedObject], title: String?) {
    (self.section, all, indexTitle) = (section, objects, title)
  }

  var name: String { section.name }
  var numberOfObjects: Int { section.range.count }
  var objects: [Any]? { section.range.upperBound <= all.count ? Array(all[section.range]) : [] }
}
