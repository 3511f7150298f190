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
      let left = FaultRunMemory.Place(fingerprint: try (image ?? FolderImage(of: path)).fingerprint, boot: boot)
      verdict.isRepeated = memory.recovered(left) != nil
      var place = memory.recovered(left) ?? left
      // Many trees are equal once their journals are applied. The process that saw the fault gets the tree unchanged.
      if !verdict.isRepeated, service == nil {
        try? recoverZones(at: path, boot)
        place = FaultRunMemory.Place(fingerprint: try FolderImage(of: path).fingerprint, boot: boot)
        memory.remember(place, after: left)
      }
      let known = memory.sight(of: place)
      let sight = try known ?? see(path, boot)
      if known == nil { memory.remember(sight, of: place) }
      verdict.outcome = sight.outcome
      verdict.problems = sight.problems + problems(sight, expected)
      let next =
        try service.map { try goOn(with: $0, from: place, sight, path) } ?? goOn(from: place, sight, path, boot)
      verdict.problems += next
    } catch {
      verdict.problems.append("\(error)")
    }
    return verdict
  }

  /// Examines a tree that is not in a folder yet. Reuses earlier findings for an equal tree.
  func look(at image: FolderImage, boot: String, _ expected: Expectation) throws -> FaultRunVerdict {
    let left = FaultRunMemory.Place(fingerprint: image.fingerprint, boot: boot)
    guard let place = memory.recovered(left), let sight = memory.sight(of: place),
      let next = memory.problems(from: place)
    else {
      return try image.onCopy { look(at: $0, holding: image, boot: boot, expected) }
    }
    return FaultRunVerdict(
      outcome: sight.outcome, problems: sight.problems + problems(sight, expected) + next, isRepeated: true)
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

  private func see(_ path: String, _ boot: String) throws -> FaultRunMemory.Sight {
    let people = try people(path, boot)
    var sight = judged(try FaultRunStory(people))
    var ledger = TagLedger()
    ledger.note(before)
    ledger.note(sight.story)
    sight.problems += ledger.problems
    do {
      let told = try FaultRunNews(people, since: tokens)
      if sight.outcome != .between {
        sight.problems += (sight.outcome == .after ? newsAfter : newsBefore).missing(from: told)
      }
      sight.problems += try people.service.checks.check().map { "check: \($0.path): \($0.text)" }
      sight.problems += try people.strangers()
    } catch { sight.problems.append("\(error)") }
    return sight
  }

  /// Compares the visible data with the states before and after the commit. Stepwise kinds may be in between.
  private func judged(_ story: FaultRunStory) -> FaultRunMemory.Sight {
    var sight = FaultRunMemory.Sight(outcome: outcome(story), story: story)
    if story != before, story != after, !kind.isStepwise {
      sight.problems.append(
        "neither before nor after; since before: \(story.differences(from: before))\n    to after: \(after.differences(from: story))"
      )
    }
    return sight
  }

  /// The outcome according to the visible data; nil if it cannot be determined.
  func outcome(_ story: FaultRunStory) -> FaultRunVerdict.Outcome? {
    if !kind.isVisible { return nil }
    if story == before { return .before }
    if story == after { return .after }
    return kind.isStepwise ? .between : nil
  }

  private func problems(_ sight: FaultRunMemory.Sight, _ expected: Expectation) -> [String] {
    guard case .exactly(let outcome?) = expected, let found = sight.outcome, found != outcome else { return [] }
    return [outcome == .after ? "an acknowledged commit is lost" : "done in spite of an error"]
  }

  // MARK: With a note

  private static let noteName: ExactName = "afterwards"

  /// Saves a note. Returns whether the save was acknowledged. It must be, unless the zone was deleted.
  func noting(_ people: FaultRunPeople) -> (isNoted: Bool, problems: [String]) {
    do {
      try people.modify([people.note(Self.noteName, "1")])
      return (true, [])
    } catch {
      let isGone = [.zoneNotFound, .userDeletedZone].contains(ServiceError(describing: error).code)
      return (false, isGone ? [] : ["a save is refused: \(error)"])
    }
  }

  /// Examines a cloud with a note that was saved after the fault. Also checks that an acknowledged note is there.
  func lookBeside(at path: String, boot: String = HostProcess.bootIdentifier, _ expected: Expectation, _ isNoted: Bool)
    -> FaultRunVerdict
  {
    var verdict = FaultRunVerdict()
    do {
      let people = try people(path, boot)
      let sight = judged(try FaultRunStory(people, but: Self.noteName))
      verdict.outcome = sight.outcome
      verdict.problems += sight.problems + problems(sight, expected)
      if isNoted, people.text(of: Self.noteName) != "1" { verdict.problems.append("what was saved afterwards is lost") }
      verdict.problems += try people.service.checks.check().map { "check: \($0.path): \($0.text)" }
    } catch { verdict.problems.append("\(error)") }
    return verdict
  }

  // MARK: Continuing

  /// Continues in another process than the one that saw the fault.
  private func goOn(
    from place: FaultRunMemory.Place, _ sight: FaultRunMemory.Sight, _ path: String, _ boot: String
  ) throws -> [String] {
    if let problems = memory.problems(from: place) { return problems }
    let people = try people(path, boot)
    try goOn(people, sight)
    let problems = try problemsLater(people, sight)
    memory.remember(problems, from: place)
    return problems
  }

  /// Continues in the process that had the fault. Its cached state must not lead to wrong results.
  private func goOn(
    with service: CloudService, from place: FaultRunMemory.Place, _ sight: FaultRunMemory.Sight, _ path: String
  ) throws -> [String] {
    try goOn(FaultRunPeople(service), sight)
    let end = try FolderImage(of: path).fingerprint
    if let problems = memory.problems(from: place, to: end) { return problems }
    let problems = try problemsLater(try people(path, place.boot), sight)
    memory.remember(problems, from: place, to: end)
    return problems
  }

  private func goOn(_ actors: FaultRunPeople, _ sight: FaultRunMemory.Sight) throws {
    if sight.outcome == .before || sight.outcome == .between {
      try kind.run(actors)
    } else if try actors.hasZone() {
      try actors.modify([actors.note(Self.noteName, "1")])
    } else {
      try actors.makeZone()
    }
  }

  private func problemsLater(_ people: FaultRunPeople, _ sight: FaultRunMemory.Sight) throws -> [String] {
    let story = try FaultRunStory(people)
    var ledger = TagLedger()
    for told in [before, sight.story, story] { ledger.note(told) }
    var problems = ledger.problems
    if sight.outcome == .before || sight.outcome == .between, story != after {
      problems.append("the second try: \(story.differences(from: after))")
    }
    problems += try people.service.checks.check().map { "check, later: \($0.path): \($0.text)" }
    // Another commit has removed abandoned uploads by now.
    let uploads = try AssetFolders(of: FaultRunPeople.zone.name.string, in: people.service.cloud.path).uploads
    if !uploads.isEmpty { problems.append("uploads are left: \(uploads)") }
    return problems
  }
}
