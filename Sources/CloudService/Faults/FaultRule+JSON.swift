import LocalCloudModel
import LocalCloudStorage

/// The JSON form of a rule: one object, in the cloud's document and in rule files.
extension FaultRule {
  private enum Key: String, CaseIterable {
    case operation, account, device, containerIdentifier, environment, database, zoneName, recordName, recordType
    case after, times, probability, seed
    case error, itemError, retryAfter, lostReply, latency, latePushes, pushes, indexLag

    static let effects: [Key] = [.error, .itemError, .lostReply, .latency, .latePushes, .pushes, .indexLag]
  }

  package var object: JSONObject {
    var object: JSONObject = [:]
    func set(_ key: Key, _ value: JSONValue?) { object[key.rawValue] = value }
    set(.operation, conditions.operation.map { .string($0.rawValue) })
    set(.account, conditions.account.map { .string($0) })
    set(.device, conditions.device.map { .string($0) })
    set(.containerIdentifier, conditions.container.map { .string($0) })
    set(.environment, conditions.environment.map { .string($0.rawValue) })
    set(.database, conditions.database.map { .string($0.name) })
    set(.zoneName, conditions.zone.map { .string($0.string) })
    set(.recordName, conditions.recordName.map { .string($0.string) })
    set(.recordType, conditions.recordType.map { .string($0) })
    set(.after, schedule.after == 0 ? nil : .integer(Int64(schedule.after)))
    set(.times, schedule.times.map { .integer(Int64($0)) })
    set(.probability, schedule.probability.map { .double($0) })
    set(.seed, schedule.seed == 0 ? nil : .integer(schedule.seed))
    switch effect {
    case .error(let code, let retryAfter):
      set(.error, .string(code.name))
      set(.retryAfter, retryAfter.map { .double($0) })
    case .itemError(let code, let retryAfter):
      set(.itemError, .string(code.name))
      set(.retryAfter, retryAfter.map { .double($0) })
    case .lostReply(let time): set(.lostReply, .string(time.rawValue))
    case .latency(let seconds): set(.latency, .double(seconds))
    case .latePushes(let seconds): set(.latePushes, .double(seconds))
    case .pushes(let change): set(.pushes, .string(change.rawValue))
    case .indexLag(let seconds): set(.indexLag, .double(seconds))
    }
    return object
  }

  /// - Throws: `invalidArguments` for a member that a rule does not have, for a value that the member can't have, and for
  ///   a rule without exactly one effect.
  package init(_ value: JSONValue) throws(ServiceError) {
    guard let object = value.object else { throw .invalid("A fault rule is a JSON object") }
    if let unknown = object.map(\.key).first(where: { Key(rawValue: $0) == nil }) {
      throw .invalid("A fault rule has no member '\(unknown.prefix(100))'")
    }
    let reader = Reader(object: object)
    var conditions = Conditions()
    conditions.operation = try reader.word(.operation, "an operation", Operation.init)
    conditions.account = try reader.text(.account)
    conditions.device = try reader.text(.device)
    conditions.container = try reader.text(.containerIdentifier)
    conditions.environment = try reader.word(.environment, "an environment", CloudEnvironment.init)
    conditions.database = try reader.word(.database, "a database", DatabaseScope.init(name:))
    conditions.zone = try reader.text(.zoneName).map { ExactName($0) }
    conditions.recordName = try reader.text(.recordName).map { ExactName($0) }
    conditions.recordType = try reader.text(.recordType)
    var schedule = Schedule()
    schedule.after = try reader.whole(.after) ?? 0
    schedule.times = try reader.whole(.times)
    schedule.probability = try reader.number(.probability)
    schedule.seed = try reader.whole(.seed).map { Int64($0) } ?? 0
    try self.init(reader.effect(), where: conditions, schedule)
  }

  /// Reads the members of a rule.
  private struct Reader {
    let object: JSONObject

    func text(_ key: Key) throws(ServiceError) -> String? {
      try value(key, "a text", \.string)
    }

    func whole(_ key: Key) throws(ServiceError) -> Int? { try value(key, "a whole number", \.int) }

    func number(_ key: Key) throws(ServiceError) -> Double? { try value(key, "a number", \.double) }

    func word<Word>(_ key: Key, _ what: String, _ convert: (String) -> Word?) throws(ServiceError) -> Word? {
      guard let text = try text(key) else { return nil }
      guard let word = convert(text) else {
        throw .invalid("The member '\(key.rawValue)' of a fault rule is not \(what): '\(text.prefix(100))'")
      }
      return word
    }

    private func value<Value>(
      _ key: Key, _ what: String, _ convert: (JSONValue) -> Value?
    ) throws(ServiceError) -> Value? {
      guard let value = object[key.rawValue] else { return nil }
      guard let converted = convert(value) else {
        throw .invalid("The member '\(key.rawValue)' of a fault rule is not \(what)")
      }
      return converted
    }

    func effect() throws(ServiceError) -> Effect {
      let given = Key.effects.filter { object[$0.rawValue] != nil }
      guard given.count == 1 else {
        throw .invalid(
          "A fault rule has exactly one of \(Key.effects.map(\.rawValue).joined(separator: ", ")); this one has "
            + (given.isEmpty ? "none" : given.map(\.rawValue).joined(separator: " and ")))
      }
      let retryAfter = try number(.retryAfter)
      if let code = try word(.error, "an error's name", ServiceError.Code.init(name:)) {
        return .error(code, retryAfter: retryAfter)
      }
      if let code = try word(.itemError, "an error's name", ServiceError.Code.init(name:)) {
        return .itemError(code, retryAfter: retryAfter)
      }
      if retryAfter != nil { throw .invalid("The member 'retryAfter' of a fault rule belongs to an error") }
      if let time = try word(.lostReply, "before or after", LossTime.init) { return .lostReply(time) }
      if let seconds = try number(.latency) { return .latency(seconds) }
      if let seconds = try number(.latePushes) { return .latePushes(seconds) }
      if let seconds = try number(.indexLag) { return .indexLag(seconds) }
      guard let change = try word(.pushes, "lost, doubled or reordered", PushChange.init) else {
        throw .invalid("A fault rule has no effect")
      }
      return .pushes(change)
    }
  }
}
