import LocalCloudPredicateFormat
import LocalCloudStorage

/// Computes expressions for rows in the way predicates do. Related objects have the values that the view reads.
package struct RowExpressions {
  private let subjects: RowSubjects
  private var evaluator: PredicateEvaluator

  /// `now`: the value of `now()`, in seconds since the start of 2001. `matching`: the engine for `MATCHES`.
  package init(_ view: StoreView, now: Double, matching: PredicateEvaluator.Matching? = nil) {
    subjects = RowSubjects(view)
    evaluator = PredicateEvaluator(.constant(true), now: now, matching: matching)
  }

  /// Throws `PredicateEvaluationError` for an expression that has no value for the row.
  package mutating func value(of tree: ExpressionTree, for row: StoredRow) throws -> PredicateValue {
    let value = try evaluator.value(of: tree, for: subjects.subject(row))
    try subjects.requireSuccess()
    return value
  }
}

/// Objects as predicates see them: `PredicateObject`s of the type `NSManagedObject`, which are equal if their stores
/// and numbers are. Their values are read when they are asked for.
///
/// Not thread-safe: used on the thread that holds the view.
final class RowSubjects {
  private let view: StoreView
  private let identifier: PredicateValue
  /// A value look-up can't throw. The error is stored, and thrown when the evaluation is done.
  private var failure: (any Error)?

  init(_ view: StoreView) {
    self.view = view
    identifier = .string(view.store.identifier)
  }

  /// Throws the error of an earlier look-up.
  func requireSuccess() throws {
    if let failure { throw failure }
  }

  func subject(_ row: StoredRow) -> PredicateValue { object(Subject(row.id, row, self)) }

  private func object(_ subject: Subject) -> PredicateValue {
    .object(
      PredicateObject(
        type: "NSManagedObject", parts: ["store": identifier, "number": .integer(subject.id.number)],
        origin: subject.id
      ) { subject.value($0) })
  }

  // Sendable: a predicate is evaluated on the thread that holds the view, and its objects are released before it ends.
  private final class Subject: @unchecked Sendable {
    let id: RowID
    private var known: StoredRow?
    private let subjects: RowSubjects

    init(_ id: RowID, _ row: StoredRow?, _ subjects: RowSubjects) {
      self.id = id
      known = row
      self.subjects = subjects
    }

    func row() throws -> StoredRow? {
      if known == nil { known = try subjects.view.row(id) }
      return known
    }

    func value(_ key: String) -> PredicateValue? {
      do { return try subjects.value(self, key) } catch {
        subjects.failure = subjects.failure ?? error
        return .null
      }
    }
  }

  /// The stored value at the end of a path over to-one relationships, or the object there; null if an object on
  /// the way is missing, or has no such property.
  func stored(_ row: StoredRow, _ path: [String]) throws -> ResultValue {
    var next: StoredRow? = row
    for (index, name) in path.enumerated() {
      guard let row = next else { break }
      let isLast = index == path.count - 1
      let entity = view.schema.entities[Int(row.id.entity)]
      if isLast, let index = entity.attributes.firstIndex(where: { $0.name == name }) {
        guard index < row.attributes.count else { break }
        if case .external(let binary) = row.attributes[index] {
          return .stored(.binary(try view.store.contents(of: binary)))
        }
        return .stored(row.attributes[index])
      }
      guard let index = entity.toOnes.firstIndex(where: { view.schema.relationships[$0].name == name }),
        index < row.toOnes.count, let target = row.toOnes[index], try view.exists(target)
      else { break }
      if isLast { return .object(target) }
      next = try view.row(target)
    }
    return .stored(.null)
  }

  /// Nil for a name that the entity does not have.
  private func value(_ subject: Subject, _ key: String) throws -> PredicateValue? {
    let entity = view.schema.entities[Int(subject.id.entity)]
    if let index = entity.attributes.firstIndex(where: { $0.name == key }) {
      guard let row = try subject.row(), index < row.attributes.count else { return .null }
      return try value(row.attributes[index])
    }
    if let relationship = view.schema.relationship(named: key, of: Int(subject.id.entity)) {
      guard !view.schema.relationships[relationship].isToMany else {
        return .list(try view.related(subject.id, relationship).map { object(Subject($0, nil, self)) })
      }
      guard let row = try subject.row(), let index = entity.toOnes.firstIndex(of: relationship),
        index < row.toOnes.count, let target = row.toOnes[index], try view.exists(target)
      else { return .null }
      return object(Subject(target, nil, self))
    }
    switch key {
    case "objectID": return object(subject)
    case "entity": return .object(PredicateObject(type: "NSEntityDescription", parts: ["name": .string(entity.name)]))
    default: return nil
    }
  }

  private func value(_ stored: StoredValue) throws -> PredicateValue {
    if case .external(let binary) = stored { return .data(try view.store.contents(of: binary)) }
    return PredicateValue(stored)
  }
}

extension PredicateValue {
  /// A value as a predicate sees it: decimals are numbers, truth values 1 and 0, UUIDs and URLs objects like those of
  /// Foundation. Bytes in a file are not read here and give null.
  package init(_ stored: StoredValue) {
    switch stored {
    case .null, .external: self = .null
    case .boolean(let truth): self = .boolean(truth)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .decimal(let digits): self = PredicateValue(decimal: digits)
    case .string(let text): self = .string(text)
    case .date(let seconds): self = .date(seconds)
    case .binary(let bytes): self = .data(bytes)
    case .uuid(let text): self = .object(PredicateObject(type: "NSUUID", parts: ["UUIDString": .string(text)]))
    case .uri(let text): self = .object(PredicateObject(type: "NSURL", parts: ["absoluteString": .string(text)]))
    }
  }
}
