/// Coordinates the members' steps, and checks their results against the model.
struct ModelDirector {
  private let stage: ModelStage
  private var author: ModelAuthor
  private var model = ReferenceModel(zones: ModelAuthor.zones)
  private var recorders: [ModelRecorder]
  /// The actual URL of each link of the model.
  private var urls: [String: String] = [:]
  private let together: Int
  var report: ScenarioReport

  init(_ stage: ModelStage, seed: UInt64, together: Int) {
    self.stage = stage
    self.together = together
    author = ModelAuthor(seed: seed, members: ModelRun.members)
    recorders = stage.members.map { ModelRecorder($0.name) }
    report = ScenarioReport("seed \(seed), \(together) at once")
    follow(model)
  }

  /// Runs one step, or several at once, and checks the results.
  mutating func round() throws {
    let count = together > 1 ? 1 + Int(author.random.next() % UInt64(together)) : 1
    var steps: [ModelStep] = []
    for _ in 0..<count { steps.append(author.next(model, sparing: Set(steps.map(\.person)))) }
    for step in steps { try member(step.person).send(.act(step, url: url(step))) }
    let answers = try steps.map { try member($0.person).answer() }
    report.steps += count
    for (step, answer) in zip(steps, answers) {
      let isDone = answer.codes.allSatisfy { $0 == ReferenceModel.Code.done }
      report[count: isDone ? "done" : "refused"] += 1
      report.addStep("\(count > 1 ? "at once: " : "")\(step) \(isDone ? "" : "\(answer.codes)")")
      if let trouble = answer.trouble { report.problems.append("\(step): \(trouble)") }
    }
    try resolve(steps, answers)
    guard report.problems.isEmpty else { return }
    // The acting members and two others read their data; sometimes all members do.
    var looking = Set(steps.map(\.person))
    for _ in 0..<2 { if let other = author.pick(stage.members.map(\.name)) { looking.insert(other) } }
    if author.chance(4) { return try everybodyLooks() }
    try look(looking)
  }

  mutating func everybodyLooks() throws { try look(Set(stage.members.map(\.name))) }

  private func member(_ name: String) throws -> ModelStage.Member {
    guard let member = stage.members.first(where: { $0.name == name }) else {
      throw ScenarioEnd("nobody is called \(name)")
    }
    return member
  }

  // MARK: Results

  /// Finds an order of the steps in which the model gives the same answers.
  private mutating func resolve(_ steps: [ModelStep], _ answers: [ModelAnswer]) throws {
    var fitting: [ReferenceModel] = []
    for order in Self.orders(of: Array(steps.indices)) {
      var states = [model]
      let fits = order.allSatisfy { index in
        var next = states[states.count - 1]
        defer { states.append(next) }
        return next.apply(steps[index]) == answers[index].codes
      }
      guard fits, let end = states.last else { continue }
      fitting.append(end)
      // Feeds may report intermediate states.
      for state in states.dropFirst().dropLast() { follow(state) }
    }
    guard !fitting.isEmpty else {
      for (step, answer) in zip(steps, answers) {
        var model = model
        report.problems.append("\(step): told \(answer.codes), and by itself it is \(model.apply(step))")
      }
      return
    }
    if Set(fitting).count > 1 {
      // If several orders fit, the view of the zone's owner decides between them.
      let answer = try member(ReferenceModel.owner).ask(.look(nextObservation()))
      guard let view = answer.view else {
        throw ScenarioEnd("\(ReferenceModel.owner) can't look: \(answer.trouble ?? "")")
      }
      let seen = fitting.first { model in
        ModelAuthor.zones.allSatisfy { view.zones[$0]?.fetched == model.visible(to: ReferenceModel.owner, in: $0) }
      }
      fitting = [seen ?? fitting[0]]
    }
    model = fitting[0]
    follow(model)
    for (step, answer) in zip(steps, answers) { check(step, answer.url) }
  }

  private static func orders(of indexes: [Int]) -> [[Int]] {
    indexes.count < 2
      ? [indexes] : indexes.flatMap { first in orders(of: indexes.filter { $0 != first }).map { [first] + $0 } }
  }

  private mutating func follow(_ model: ReferenceModel) {
    for index in recorders.indices { recorders[index].follow(model, ModelAuthor.zones) }
  }

  // MARK: Links

  private func url(_ step: ModelStep) -> String? {
    if case .accept(let link) = step.action { urls["\(step.zone)/\(link)"] } else { nil }
  }

  /// Checks that a root's link stays the same, and that links are unique.
  private mutating func check(_ step: ModelStep, _ url: String?) {
    guard case .share(_, let name, _, _) = step.action, let url, let link = model.link(of: name, in: step.zone) else {
      return
    }
    let key = "\(step.zone)/\(link)"
    if let known = urls[key], known != url { report.problems.append("\(step): \(url) instead of \(known)") }
    if let other = urls.first(where: { $0.value == url && $0.key != key }) {
      report.problems.append("\(step): \(url) is that of \(other.key)")
    }
    urls[key] = url
  }

  // MARK: Views

  private mutating func nextObservation() -> ModelObservation {
    ModelObservation(
      zones: ModelAuthor.zones, records: ModelAuthor.everything, page: author.pick([1, 2, 3, 5, 8, 100, 400]) ?? 1)
  }

  private mutating func look(_ people: Set<String>) throws {
    let observation = nextObservation()
    let indexes = recorders.indices.filter { people.contains(recorders[$0].person) }
    for index in indexes { try stage.members[index].send(.look(observation)) }
    for index in indexes {
      let answer = try stage.members[index].answer()
      report[count: "looks"] += 1
      guard let view = answer.view else {
        report.problems.append("\(recorders[index].person) can't look: \(answer.trouble ?? "")")
        continue
      }
      report.problems += recorders[index].compare(view, with: model, ModelAuthor.zones)
    }
  }
}
