import CloudKit

/// A file that imports only CloudKit.
enum CloudKitAlone: PredicateUser {
  static var made: [NSPredicate] {
    let date = Date(timeIntervalSinceReferenceDate: 1)
    let name: String? = "Ann"
    let format = NSPredicate(format: "%K == %@ AND date >= %@", "name", name, date as CVarArg)
    let array = NSPredicate(format: "name IN %@", argumentArray: [["Ann", "Bob"]])
    let template = NSPredicate(format: "age > $limit").withSubstitutionVariables(["limit": 18])
    let block = NSPredicate { object, _ in (object as? [String: Any])?["name"] != nil }
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [format, array])
    let either = NSCompoundPredicate(type: .or, subpredicates: [template, NSPredicate(value: false)])
    let not = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "name == 'Bob'"))
    return [format, array, template, block, both, either, not, NSPredicate(value: true)]
  }

  static var sorts: [NSSortDescriptor] {
    [
      NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "age", ascending: false),
      NSSortDescriptor(keyPath: \String.count, ascending: true),
    ]
  }

  static var keys: [String?] { sorts.map(\.key) }

  static func isCompound(_ predicate: NSPredicate) -> Bool {
    (predicate as? NSCompoundPredicate)?.compoundPredicateType == .and
  }

  /// Never called. Foundation for Linux has these names as deprecated, and creates no objects of these types.
  @available(*, deprecated)
  static func isComparison(
    _ predicate: NSPredicate, _ side: NSExpression?, _ comparator: NSComparisonPredicate.Operator = .equalTo,
    _ type: NSExpression.ExpressionType = .keyPath
  ) -> Bool {
    predicate is NSComparisonPredicate
  }

  static var query: CKQuery {
    let query = CKQuery(recordType: "Person", predicate: made[0])
    let origin = CLLocation(latitude: 0, longitude: 0)
    query.sortDescriptors = [sorts[0], CKLocationSortDescriptor(key: "place", relativeLocation: origin)]
    return query
  }
}
