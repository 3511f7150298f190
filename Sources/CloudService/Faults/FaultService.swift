import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The fault rules of the cloud, for the tool and for tests.
package struct FaultService: ServiceSubject {
  let service: CloudService
}

extension FaultService {
  /// Returns the rules in force, in the order of their addition, with their counts.
  package func list() throws(ServiceError) -> [StoredFault] {
    try perform(.administration, by: nil) { try FaultRegister(cloud).rules() }
  }

  /// Puts rules into force, for all programs, from their next request on. Adds all of them or none.
  ///
  /// - Throws: `limitExceeded` if the cloud would have more than ``FaultRegister/maximumRules``, `invalidArguments` for a
  ///   rule that no request can meet.
  package func add(_ rules: [FaultRule]) throws(ServiceError) -> [StoredFault] {
    try perform(.administration, by: nil) {
      if rules.isEmpty { return [] }
      try Self.checkCount(rules.count)
      for rule in rules { try rule.checkIsMeetable() }
      return try FaultRegister(cloud).change(waitPolicy(nil)) { stored in
        try Self.checkCount(stored.count + rules.count)
        var ids = Set(stored.map { ExactName($0.id) })
        let added = rules.map { rule in
          var id = newIdentifier(4)
          while !ids.insert(ExactName(id)).inserted { id = newIdentifier(4) }
          return StoredFault(id: id, rule: rule)
        }
        stored += added
        return added
      }
    }
  }

  /// Throws `limitExceeded` for more rules than a cloud may have.
  package static func checkCount(_ count: Int) throws(ServiceError) {
    guard count <= FaultRegister.maximumRules else {
      throw ServiceError(
        .limitExceeded, "A cloud has at most \(FaultRegister.maximumRules) fault rules, not \(count)",
        hint: "`localcloud fault clear` removes those there are.")
    }
  }

  /// Removes rules.
  ///
  /// - Parameter mayBeMissing: whether an identifier without a rule is ignored.
  /// - Throws: `unknownItem` for an identifier without a rule; then no rule is removed.
  package func remove(_ ids: [String], mayBeMissing: Bool = false) throws(ServiceError) {
    try perform(.administration, by: nil) {
      let register = FaultRegister(cloud)
      // A cloud without rules needs no lock.
      if mayBeMissing, try register.rules().isEmpty { return }
      try register.change(waitPolicy(nil)) { rules in
        for id in ids {
          if let index = rules.firstIndex(where: { $0.id.hasSameBytes(as: id) }) {
            rules.remove(at: index)
          } else if !mayBeMissing {
            throw ServiceError(
              .unknownItem, "There is no fault rule '\(id)'", hint: "`localcloud fault list` shows those there are.")
          }
        }
      }
    }
  }

  /// Removes all rules, also if they can't be read.
  ///
  /// - Returns: the number of removed rules; nil if they could not be read.
  package func clear() throws(ServiceError) -> Int? {
    try perform(.administration, by: nil) { try FaultRegister(cloud).clear(waitPolicy(nil)) }
  }
}
