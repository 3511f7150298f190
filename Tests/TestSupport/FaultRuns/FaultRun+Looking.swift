import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

extension FaultRun {
  enum Expectation: Sendable {
    case either
    case exactly(FaultRunVerdict.Outcome?)
  }

  /// Examines the state that the next process finds, and whether it can continue: it repeats a commit that was not
  /// done.
  ///
  /// `service` is the process that saw the fault, if it is still running. `image` is the contents of the folder, if the
  /// caller knows them.
  func look(
    at path: String, holding image: FolderImage? = nil, boot: String = HostProcess.bootIdentifier,
    _ expected: Expectation,
    retrying service: CloudService? = nil
  ) -> FaultRunVerdict {
    var verdict = FaultRunVerdict()
    do {
      let left = FaultRunMemory.TreeState(fingerprint: try (image ?? FolderImage(of: path)).fingerprint, boot: boot)
      verdict.isRepeated = memory.recovered(left) != nil
      var state = memory.recovered(left) ?? left
      // Many trees are equal once their journals are applied. The process that saw the fault gets the tree unchanged.
      if !verdict.isRepeated, service == nil {
        try? recoverZones(at: path, boot)
        state = FaultRunMemory.TreeState(fingerprint: try FolderImage(of: path).fingerprint, boot: boot)
        memory.remember(state, after: left)
      }
      let known = memory.observation(of: state)
      let observation = try known ?? observe(path, boot)
      if known == nil { memory.remember(observation, of: state) }
      verdict.outcome = observation.outcome
      verdict.problems = observation.problems + problems(observation, expected)
      let next =
        try service.map { try continueRun(with: $0, from: state, observation, path) }
        ?? continueRun(from: state, observation, path, boot)
      verdict.problems += next
    } catch {
      verdict.problems.append("\(error)")
    }
    return verdict
  }

  /// Examines a tree that is not in a folder yet. Reuses earlier findings for an equal tree.
  func look(at image: FolderImage, boot: String, _ expected: Expectation) throws -> FaultRunVerdict {
    let left = FaultRunMemory.TreeState(fingerprint: image.fingerprint, boot: boot)
    guard let state = memory.recovered(left), let observation = memory.observation(of: state),
      let next = memory.problems(from: state)
    else {
      return try image.onCopy { look(at: $0, holding: image, boot: boot, expected) }
    }
    return FaultRunVerdict(
      outcome: observation.outcome, problems: observation.problems + problems(observation, expected) + next,
      isRepeated: true)
  }

  /// Applies the journal of each zone, as the first process that uses the zone does.
  private func recoverZones(at path: String, _ boot: String) throws {
    let cloud = try people(path, boot).service.cloud
    for container in try cloud.containers() {
      try cloud.forEachDatabase(of: container) { database in
        for name in try database.zones() {
          try cloud.zone(ZonePath(database: database.path, zone: name))?.read(LockWaitPolicy()) { _ in }
        }
      }
    }
  }

  private func people(_ path: String, _ boot: String) throws -> FaultRunPeople {
    FaultRunPeople(try Self.open(path, kind, FileSystem(bootIdentifier: boot), ids: "next"))
  }

  // MARK: Visible state

  private func observe(_ path: String, _ boot: String) throws -> FaultRunMemory.Observation {
    let people = try people(path, boot)
    var observation = judged(try FaultRunScenario(people))
    var ledger = TagLedger()
    ledger.add(before)
    ledger.add(observation.scenario)
    observation.problems += ledger.problems
    do {
      let events = try FaultRunEvents(people, since: tokens)
      if observation.outcome != .between {
        observation.problems += (observation.outcome == .after ? eventsAfter : eventsBefore).missing(from: events)
      }
      observation.problems += try people.service.checks.check().map { "check: \($0.path): \($0.text)" }
      observation.problems += try people.strangers()
    } catch { observation.problems.append("\(error)") }
    return observation
  }

  /// Compares the visible data with the states before and after the commit. Stepwise kinds may be in between.
  private func judged(_ scenario: FaultRunScenario) -> FaultRunMemory.Observation {
    var observation = FaultRunMemory.Observation(outcome: outcome(scenario), scenario: scenario)
    if scenario != before, scenario != after, !kind.isStepwise {
      observation.problems.append(
        "neither before nor after; since before: \(scenario.differences(from: before))\n    to after: \(after.differences(from: scenario))"
      )
    }
    return observation
  }

  /// The outcome according to the visible data; nil if it cannot be determined.
  func outcome(_ scenario: FaultRunScenario) -> FaultRunVerdict.Outcome? {
    if !kind.isVisible { return nil }
    if scenario == before { return .before }
    if scenario == after { return .after }
    return kind.isStepwise ? .between : nil
  }

  private func problems(_ observation: FaultRunMemory.Observation, _ expected: Expectation) -> [String] {
    guard case .exactly(let outcome?) = expected, let found = observation.outcome, found != outcome else { return [] }
    return [outcome == .after ? "an acknowledged commit is lost" : "done in spite of an error"]
  }

  // MARK: With a note

  private static let noteName: ExactName = "afterwards"

  /// Saves a note. Returns whether the save was acknowledged. It must be, unless the zone was deleted.
  func saveNote(_ people: FaultRunPeople) -> (isSaved: Bool, problems: [String]) {
    do {
      try people.modify([people.note(Self.noteName, "1")])
      return (true, [])
    } catch {
      let isGone = [.zoneNotFound, .userDeletedZone].contains(ServiceError(describing: error).code)
      return (false, isGone ? [] : ["a save is refused: \(error)"])
    }
  }

  /// Examines a cloud with a note that was saved after the fault. Also checks that an acknowledged note is there.
  func lookBeside(at path: String, boot: String = HostProcess.bootIdentifier, _ expected: Expectation, _ isSaved: Bool)
    -> FaultRunVerdict
  {
    var verdict = FaultRunVerdict()
    do {
      let people = try people(path, boot)
      let observation = judged(try FaultRunScenario(people, but: Self.noteName))
      verdict.outcome = observation.outcome
      verdict.problems += observation.problems + problems(observation, expected)
      if isSaved, people.text(of: Self.noteName) != "1" { verdict.problems.append("what was saved afterwards is lost") }
      verdict.problems += try people.service.checks.check().map { "check: \($0.path): \($0.text)" }
    } catch { verdict.problems.append("\(error)") }
    return verdict
  }

  // MARK: Continuing

  /// Continues in another process than the one that saw the fault.
  private func continueRun(
    from state: FaultRunMemory.TreeState, _ observation: FaultRunMemory.Observation, _ path: String, _ boot: String
  ) throws -> [String] {
    if let problems = memory.problems(from: state) { return problems }
    let people = try people(path, boot)
    try continueRun(people, observation)
    let problems = try problemsLater(people, observation)
    memory.remember(problems, from: state)
    return problems
  }

  /// Continues in the process that had the fault. Its cached state must not lead to wrong results.
  private func continueRun(
    with service: CloudService, from state: FaultRunMemory.TreeState, _ observation: FaultRunMemory.Observation,
    _ path: String
  ) throws -> [String] {
    try continueRun(FaultRunPeople(service), observation)
    let end = try FolderImage(of: path).fingerprint
    if let problems = memory.problems(from: state, to: end) { return problems }
    let problems = try problemsLater(try people(path, state.boot), observation)
    memory.remember(problems, from: state, to: end)
    return problems
  }

  private func continueRun(_ actors: FaultRunPeople, _ observation: FaultRunMemory.Observation) throws {
    if observation.outcome == .before || observation.outcome == .between {
      try kind.run(actors)
    } else if try actors.hasZone() {
      try actors.modify([actors.note(Self.noteName, "1")])
    } else {
      try actors.makeZone()
    }
  }

  private func problemsLater(_ people: FaultRunPeople, _ observation: FaultRunMemory.Observation) throws -> [String] {
    let scenario = try FaultRunScenario(people)
    var ledger = TagLedger()
    for state in [before, observation.scenario, scenario] { ledger.add(state) }
    var problems = ledger.problems
    if observation.outcome == .before || observation.outcome == .between, scenario != after {
      problems.append("the second try: \(scenario.differences(from: after))")
    }
    problems += try people.service.checks.check().map { "check, later: \($0.path): \($0.text)" }
    // Another commit has removed abandoned uploads by now.
    let uploads = try AssetFolders(of: FaultRunPeople.zone.name.string, in: people.service.cloud.path).uploads
    if !uploads.isEmpty { problems.append("uploads are left: \(uploads)") }
    return problems
  }
}
