import Foundation
import LocalCloudCoreDataModel
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

extension NSManagedObjectModel {
  /// A template to return to the program: a copy if the model is in use.
  func handedOut(
    _ request: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    isFrozen ? request.duplicate : request
  }
}

extension NSFetchRequest {
  /// A copy with values substituted for the variables in the predicate.
  final func substituting(_ variables: [String: Any]) -> NSFetchRequest<ResultType> {
    let request = duplicate
    let values = variables.mapValues { PredicateValue(object: $0) }
    if let tree = request.predicate?.tree {
      request.predicate = PredicateArchive.predicate(tree: tree.substituting(values))
    }
    return request
  }

  final var duplicate: NSFetchRequest<ResultType> { converted(to: ResultType.self) }

  /// A copy of the request for an entity of another model.
  final func duplicate(for entity: NSEntityDescription?) -> NSFetchRequest<ResultType> {
    let copy = duplicate
    copy.entity = entity
    return copy
  }

  /// The parts of the request that distinguish versions of a model.
  final var versionTexts: [String] {
    [entityName ?? "", predicate.flatMap(PredicateArchive.format) ?? ""]
  }
}

extension ModelBuilder {
  /// A fetch request of the model file; nil, with a message to stderr, if its predicate can't be read.
  static func request(
    _ source: ModelFetchRequest, _ entity: NSEntityDescription?
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: source.entity)
    request.entity = entity
    if let format = source.predicate {
      let tree = ManagedModels.reading {
        do throws(PredicateFormatError) { return try PredicateTree(format: format) } catch {
          throw InvalidRequest(name: source.name, reason: "\(error)")
        }
      }
      guard let tree, let predicate = PredicateArchive.predicate(tree: tree) else { return nil }
      request.predicate = predicate
    }
    request.fetchLimit = source.fetchLimit
    request.fetchBatchSize = source.fetchBatchSize
    request.resultType = NSFetchRequestResultType(rawValue: source.resultType.rawValue)
    request.includesSubentities = source.includesSubentities
    request.includesPropertyValues = source.includesPropertyValues
    request.includesPendingChanges = source.includesPendingChanges
    request.returnsObjectsAsFaults = source.returnsObjectsAsFaults
    request.returnsDistinctResults = source.returnsDistinctResults
    return request
  }

  private struct InvalidRequest: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "The predicate of the fetch request \(name) can't be read: \(reason)" }
  }
}
