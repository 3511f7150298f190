import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The rules in force in a cloud: one document in its root. It exists while there are rules ([fault-2]).
package struct FaultRegister {
  let cloud: Cloud

  package static let maximumRules = 500

  package init(_ cloud: Cloud) { self.cloud = cloud }

  /// The rules, in the order of their addition. A cloud without rules costs one look-up of a missing file.
  package func rules() throws -> [StoredFault] { try rules(in: DocumentFolder(cloud.root)) }

  private func rules(in folder: DocumentFolder) throws -> [StoredFault] {
    do {
      guard let object = try folder.read(Cloud.faultsName) else { return [] }
      guard object.count == 1, let rules = object.items(of: "rules", StoredFault.init), !rules.isEmpty,
        rules.count <= Self.maximumRules, Set(rules.map { ExactName($0.id) }).count == rules.count
      else {
        throw StorageError.damaged(path: cloud.root.path(of: Cloud.faultsName), reason: Self.defect(of: object))
      }
      return rules
    } catch StorageError.damaged(let path, let reason) {
      throw ServiceError(
        .internalError, "The fault rules of the cloud can't be read: \(path): \(reason).", cause: .damage,
        hint: "Use the newer version of the tool, if one added them; `localcloud fault clear` removes them.", path: path
      )
    }
  }

  /// The text on a document that is no list of rules, with the first member or word that no rule of this version has: a
  /// newer version may have written it.
  private static func defect(of object: JSONObject) -> String {
    var texts = object.map(\.key).filter { $0 != "rules" }.map {
      "this version does not know the member '\($0.prefix(100))'"
    }
    for rule in object["rules"]?.array ?? [] {
      do throws(ServiceError) { _ = try FaultRule(rule["rule"] ?? .null) } catch { texts.append(error.message) }
    }
    return "not a list of fault rules" + (texts.first.map { ": \($0)" } ?? "")
  }

  /// Changes the rules as they are stored now.
  func change<Answer>(
    _ waitPolicy: LockWaitPolicy, _ change: (inout [StoredFault]) throws -> Answer
  ) throws -> Answer {
    try cloud.withFaults(waitPolicy) { folder in
      let before = try rules(in: folder)
      var rules = before
      let answer = try change(&rules)
      if rules != before { try write(rules, in: folder) }
      return answer
    }
  }

  private func write(_ rules: [StoredFault], in folder: DocumentFolder) throws {
    if rules.isEmpty { return try folder.remove(Cloud.faultsName) }
    try folder.write(["rules": .array(rules.map { .object($0.object) })], Cloud.faultsName)
  }

  /// Removes all rules, also those of a document that can't be read.
  ///
  /// - Returns: the number of the rules; nil if they could not be read.
  func clear(_ waitPolicy: LockWaitPolicy) throws -> Int? {
    guard try cloud.root.exists(Cloud.faultsName) else { return 0 }
    return try cloud.withFaults(waitPolicy) { folder in
      guard try cloud.root.exists(Cloud.faultsName) else { return 0 }
      let count = try? rules(in: folder).count
      try folder.remove(Cloud.faultsName)
      return count
    }
  }
}
