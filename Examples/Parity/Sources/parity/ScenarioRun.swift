import Foundation

/// Runs a scenario, and makes its recording.
struct ScenarioRun {
  let scenario: Scenario
  let options: Options
  private let actors: [String: any Acting]

  #if canImport(Darwin)
    static let service = "iCloud"
  #else
    static let service = "LocalCloudKit"
  #endif

  /// Why the scenario can't run here; nil if it can.
  static func reasonToSkip(_ scenario: Scenario) -> String? {
    guard service == "iCloud", scenario.users > 1 else { return nil }
    return "it needs \(scenario.users) users, and a Mac has the one that is signed in"
  }

  private init(_ scenario: Scenario, _ options: Options) throws {
    self.scenario = scenario
    self.options = options
    actors = try Set(scenario.steps.map(\.actor)).reduce(into: [:]) { actors, name in
      #if canImport(Darwin)
        // The one user, and the one device.
        actors[name] = try Performer(actor: name, container: options.container, queryTimeout: options.queryTimeout)
      #else
        actors[name] = try Worker(actor: name, options: options)
      #endif
    }
  }

  static func record(_ scenario: Scenario, _ options: Options) async throws -> Recording {
    let run = try ScenarioRun(scenario, options)
    defer { Worker.end(run.actors.values.compactMap { $0 as? Worker }) }
    do {
      return try await run.record()
    } catch {
      throw ParityError("\(scenario.name): \(error)")
    }
  }

  private func record() async throws -> Recording {
    var texts: [String: String] = [:]
    // It fails without an account.
    for name in actors.keys.sorted() { _ = try await perform(nil, as: name, &texts) }
    try await clean(&texts)
    var normalizer = Normalizer(container: options.container)
    var recording = Recording(scenario: scenario.name, service: Self.service, steps: [])
    for (index, step) in scenario.steps.enumerated() {
      // The dates of two steps differ: services store milliseconds.
      try await Task.sleep(for: .milliseconds(2))
      let answer = try await perform(step, as: step.actor, &texts)
      if step.quiet ?? false {
        let isFailed = answer.leaves().keys.contains { $0.hasSuffix("error.code") || $0 == "notPerformed" }
        if isFailed { throw ParityError("step \(index + 1) is quiet, and failed: \(answer.line)") }
      } else {
        recording.steps.append(
          Recording.Step(
            number: index + 1, actor: step.actor, operation: step.operations[0],
            answer: normalizer.normalize(listed(answer, step))))
      }
    }
    return recording
  }

  private func perform(_ step: Step?, as actor: String, _ texts: inout [String: String]) async throws -> JSON {
    guard let acting = actors[actor] else { throw ParityError("\(actor) has no process") }
    let response = try await acting.perform(Request(step: step, texts: texts))
    texts = response.texts
    return response.answer
  }

  /// Removes from the private databases the items that an earlier run left. Errors are ignored: most items are missing.
  private func clean(_ texts: inout [String: String]) async throws {
    for user in scenario.userNames {
      guard let actor = actors.keys.sorted().first(where: { $0.hasPrefix(user + ".") }) else { continue }
      var steps: [Step] = []
      if !scenario.ownZones.isEmpty {
        steps.append(Step(actor: actor, zones: Step.ModifyZones(delete: scenario.ownZones.sorted())))
      }
      if !scenario.subscriptionIDs.isEmpty {
        let ids = Set(scenario.subscriptionIDs).sorted()
        steps.append(Step(actor: actor, subscriptions: Step.ModifySubscriptions(delete: ids)))
      }
      if !scenario.defaultZoneRecords.isEmpty {
        let names = Set(scenario.defaultZoneRecords).sorted()
        steps.append(Step(actor: actor, modify: Step.Modify(delete: names, atomic: false)))
      }
      for step in steps { _ = try await perform(step, as: actor, &texts) }
    }
  }

  /// The answer without zones and subscriptions that the scenario does not name.
  private func listed(_ answer: JSON, _ step: Step) -> JSON {
    guard step.databaseChanges != nil || step.fetchZones != nil || step.fetchSubscriptions != nil,
      case .object(var object) = answer, case .list(let items) = object["items"]
    else { return answer }
    let known = scenario.listed
    object["items"] = .list(
      items.filter { item in
        guard case .object(let item) = item, case .text(let name) = item["item"] else { return true }
        return known.contains(name.split(separator: ":").last.map(String.init) ?? name)
      })
    return .object(object)
  }
}
