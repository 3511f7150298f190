/// A fetch request of a model: a template with a name, or the request of a fetched property.
package struct ModelFetchRequest: Sendable, Hashable {
  /// The type of the results. The raw values are those of Apple's `NSFetchRequestResultType`.
  package enum ResultType: UInt, Sendable, Hashable {
    case managedObjects = 0
    case managedObjectIDs = 1
    case dictionaries = 2
  }

  package var name: String
  /// The name of the entity to fetch.
  package var entity: String
  /// The predicate's format, with variables like `$NAME`; nil for all objects.
  package var predicate: String?
  /// 0 for no limit.
  package var fetchLimit = 0
  package var fetchBatchSize = 0
  package var resultType = ResultType.managedObjects
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var includesPendingChanges = false
  package var returnsObjectsAsFaults = false
  package var returnsDistinctResults = false

  package init(name: String, entity: String) {
    self.name = name
    self.entity = entity
  }
}

/// A property with the results of a fetch request as its value. Its predicate may use `$FETCH_SOURCE` and
/// `$FETCHED_PROPERTY`.
package struct ModelFetchedProperty: Sendable, Hashable {
  package var name: String
  package var isOptional = false
  package var fetchRequest: ModelFetchRequest
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [String: String] = [:]

  package init(name: String, fetchRequest: ModelFetchRequest) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
