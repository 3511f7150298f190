import Foundation

/// A behaviour as a sequence of operations, read from a file. Expectations are not part of it: a ``Recording`` holds
/// the answers.
///
/// Names of zones begin with `Parity`, and IDs of subscriptions and names of records in the default zone with
/// `parity-`, because a run deletes them before it starts.
struct Scenario: Codable, Sendable {
  /// The file's name without its extension.
  var name: String
  var description: String
  /// The label of the rule, or the page, that states the behaviour.
  var about: String
  /// 2 if the steps name two users. Such a scenario is skipped against iCloud, where one user is signed in.
  var users: Int
  var steps: [Step]

  /// - Throws: ``ParityError`` if the file is not a scenario; it names the key.
  init(file: URL) throws {
    do {
      let data = try Data(contentsOf: file)
      self = try JSONDecoder().decode(Scenario.self, from: data)
      let known = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(self))
      try Self.refuseUnknownKeys(of: JSONDecoder().decode(JSON.self, from: data), known: known)
      try check()
    } catch let error as ParityError {
      throw ParityError("\(file.path): \(error.text)")
    } catch {
      throw ParityError("\(file.path) is not a scenario: \(error)")
    }
    guard name == file.deletingPathExtension().lastPathComponent else {
      throw ParityError("\(file.path): the name is \"\(name)\"; it has to be that of the file")
    }
  }

  /// A key that is missing after decoding and encoding belongs to no property.
  static func refuseUnknownKeys(of given: JSON, known: JSON, at path: String = "") throws(ParityError) {
    switch (given, known) {
    case (.object(let given), .object(let known)):
      for (key, value) in given.sorted(by: { $0.key < $1.key }) {
        guard let other = known[key] else { throw ParityError("\(path)\(key) is unknown") }
        try refuseUnknownKeys(of: value, known: other, at: "\(path)\(key).")
      }
    case (.list(let given), .list(let known)):
      for (index, pair) in zip(given, known).enumerated() {
        try refuseUnknownKeys(of: pair.0, known: pair.1, at: "\(path)\(index).")
      }
    default:
      break
    }
  }

  private func check() throws(ParityError) {
    for (index, step) in steps.enumerated() {
      let prefix = "step \(index + 1): "
      guard step.operations.count == 1 else {
        throw ParityError("\(prefix)it has \(step.operations.count) operations; it has to have one")
      }
      let parts = step.actor.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLowercase && $0.isASCII } }) else {
        throw ParityError("\(prefix)\"\(step.actor)\" is no actor; owner.phone is one")
      }
    }
    // CloudKit ends the process on such a name.
    guard steps.flatMap(\.recordNames).allSatisfy({ (1...255).contains($0.utf16.count) }) else {
      throw ParityError("the name of a record is empty or longer than 255 characters")
    }
    guard userNames.count == users else { throw ParityError("\(userNames.count) users act, and users is \(users)") }
    guard ownZones.allSatisfy({ $0.hasPrefix("Parity") }) else {
      throw ParityError("the name of a zone does not begin with Parity: \(ownZones.sorted())")
    }
    guard (subscriptionIDs + defaultZoneRecords).allSatisfy({ $0.hasPrefix("parity-") }) else {
      throw ParityError("the name of a subscription, or of a record in the default zone, does not begin with parity-")
    }
  }

  var userNames: [String] { Set(steps.map(\.user)).sorted() }
  /// The custom zones of the private database that a run removes before it starts.
  var ownZones: Set<String> { Set(steps.filter(\.isPrivate).flatMap(\.zoneNames)) }
  var subscriptionIDs: [String] { steps.flatMap(\.subscriptionIDs) }
  var defaultZoneRecords: [String] { steps.filter(\.isPrivate).flatMap(\.defaultZoneRecords) }
  /// All names of zones and subscriptions. Lists of zones and subscriptions in answers hold no others, because other
  /// programs may use the container.
  var listed: Set<String> { Set(steps.flatMap { $0.zoneNames + $0.subscriptionIDs } + ["_defaultZone"]) }
}

/// An error of the input, or of a run. Its text is for the user.
struct ParityError: Error, CustomStringConvertible {
  var text: String

  init(_ text: String) { self.text = text }

  var description: String { text }
}
