import Foundation
import FoundationPredicates
import ObjectStore
import PredicateFormat

/// The results of a fetch request, kept up to date while its context changes.
///
/// Uses its context's queue only, as its delegate does.
///
/// - Difference: there is no cache of sections on the disk: `cacheName` is kept, and nothing else.
/// - Difference: on Linux the sections' name is read by key path, as all values are.
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  open private(set) var fetchRequest: NSFetchRequest<ResultType>
  open private(set) var managedObjectContext: NSManagedObjectContext
  open private(set) var sectionNameKeyPath: String?
  open private(set) var cacheName: String?
  /// Told of changes; without one, the results are not kept up to date.
  open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet { observe() }
  }

  private var results: FetchedResults?
  private var observation: (any NSObjectProtocol)?

  /// The request must have a sort descriptor; the first one must put the objects of a section together.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    guard !(fetchRequest.sortDescriptors ?? []).isEmpty else {
      raiseException("An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    }
    self.fetchRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
    super.init()
  }

  deinit { if let observation { NotificationCenter.default.removeObserver(observation) } }

  open class func deleteCache(withName name: String?) {}

  /// Fetches. Call it once before the results are asked for, and again after the request was changed.
  open func performFetch() throws {
    let request = fetchRequest.converted(to: NSManagedObject.self)
    request.resultType = .managedObjectResultType
    let plan = try FetchPlan(request, in: managedObjectContext)
    let objects = try managedObjectContext.fetch(request)
    results = FetchedResults(objects, plan, sectionNameKeyPath: sectionNameKeyPath)
    observe()
  }

  // MARK: Results

  /// Nil before ``performFetch()``.
  open var fetchedObjects: [ResultType]? { results?.objects.map { Self.cast($0) } }

  open var sections: [any NSFetchedResultsSectionInfo]? {
    results.map { results in results.sections.map { SectionInfo($0, results.objects) } }
  }

  open var sectionIndexTitles: [String] {
    (results?.sections ?? []).compactMap { sectionIndexTitle(forSectionName: $0.name) }
  }

  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    let own = delegate?.controller(erased, sectionIndexTitleForSectionName: sectionName)
    return own ?? sectionName.first.map { String($0).uppercased() }
  }

  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    results?.sections.firstIndex { sectionIndexTitle(forSectionName: $0.name) == title } ?? sectionIndex
  }

  open func object(at indexPath: IndexPath) -> ResultType {
    guard let results, results.sections.indices.contains(indexPath.section),
      results.sections[indexPath.section].range.count > indexPath.item, indexPath.item >= 0
    else { raiseException("no object at index \(indexPath.item) in section at index \(indexPath.section)") }
    return Self.cast(results.objects[results.sections[indexPath.section].range.lowerBound + indexPath.item])
  }

  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let results, let place = results.objects.firstIndex(where: { $0 === (object as AnyObject) }) else {
      return nil
    }
    return results.indexPath(place)
  }

  private static func cast(_ object: NSManagedObject) -> ResultType { reinterpreted(object) }

  /// The controller as its delegate knows it. Both types are the same class, but for the parameter.
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
    guard var results, let delegate else { return }
    if info[NSInvalidatedAllObjectsKey] != nil {
      self.results = FetchedResults([], results.plan, sectionNameKeyPath: sectionNameKeyPath)
      return
    }
    let changed = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey].flatMap {
      Array(info[$0] as? Set<NSManagedObject> ?? [])
    }
    let changes = results.update(changed)
    guard !changes.isEmpty else { return }
    let before = self.results?.objects.map(\.objectID) ?? []
    delegate.controllerWillChangeContent(erased)
    self.results = results
    for change in changes.sections {
      delegate.controller(
        erased, didChange: SectionInfo(change.section, results.objects), atSectionIndex: change.place, for: change.type)
    }
    for change in changes.objects {
      delegate.controller(
        erased, didChange: change.object, at: change.old, for: change.type, newIndexPath: change.new)
    }
    let difference = results.objects.map(\.objectID).difference(from: before).inferringMoves()
    delegate.controller(erased, didChangeContentWith: difference)
    delegate.controllerDidChangeContent(erased)
  }
}

/// A section of a controller's results.
private final class SectionInfo: NSFetchedResultsSectionInfo {
  private let section: FetchedResults.Section
  private let all: [NSManagedObject]

  init(_ section: FetchedResults.Section, _ objects: [NSManagedObject]) { (self.section, all) = (section, objects) }

  var name: String { section.name }
  var indexTitle: String? { section.name.first.map { String($0).uppercased() } }
  var numberOfObjects: Int { section.range.count }
  var objects: [Any]? { section.range.upperBound <= all.count ? Array(all[section.range]) : [] }
}

public protocol NSFetchedResultsSectionInfo {
  var name: String { get }
  var indexTitle: String? { get }
  var numberOfObjects: Int { get }
  var objects: [Any]? { get }
}

public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete = 2
  case move = 3
  case update = 4
}

/// Told how a controller's results change.
///
/// - Difference: on Linux all functions are requirements with a default that does nothing. If a class conforms and only
///   its subclass has the function, the default is called.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)
}

extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {}
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { nil }
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
}
