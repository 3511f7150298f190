import FaultInjection
import LocalCloudStorage

/// Generates the steps of a model run. The next step depends on the seed and the state of the model, so that the same
/// seed gives the same steps.
package struct ModelAuthor {
  package static let tree = "Tree"
  package static let whole = "Whole"
  package static let zones = [tree, whole]

  var random: SeededGenerator
  let members: [String]
  private var stepCount = 0
  private var opening: [ModelStep]

  package init(seed: UInt64, members: [String]) {
    random = SeededGenerator(seed: seed)
    self.members = members
    opening = Self.opening(members)
  }

  /// The next step, for a person that is not in `busy`.
  package mutating func next(_ model: ReferenceModel, sparing busy: Set<String> = []) -> ModelStep {
    stepCount += 1
    if busy.isEmpty, !opening.isEmpty { return opening.removeFirst() }
    while true {
      let zone = chance(75) ? Self.tree : Self.whole
      let person = chance(35) ? ReferenceModel.owner : pick(members)
      guard let person, !busy.contains(person) else { continue }
      let action = person == ReferenceModel.owner ? ownersAction(model, zone) : guestsAction(model, zone, person)
      if let action { return ModelStep(person: person, zone: zone, action: action) }
    }
  }

  /// The first steps. They create three shares in one zone, one of them by link, and a zone that is shared as a whole.
  private static func opening(_ members: [String]) -> [ModelStep] {
    var steps: [ModelStep] = []
    func alice(_ zone: String, _ action: ModelStep.Action) {
      steps.append(ModelStep(person: ReferenceModel.owner, zone: zone, action: action))
    }
    for number in 0..<12 {
      let parent = number < 4 ? ModelStep.Parent.keep : .below("n\(number % 4)")
      alice(tree, .save(record: "n\(number)", parent: parent, text: "first"))
    }
    for number in 0..<3 { alice(whole, .save(record: "n\(number)", parent: .keep, text: "first")) }
    func invited(_ range: Range<Int>) -> [String: ModelStep.Access] {
      var result: [String: ModelStep.Access] = [:]
      for (index, member) in members.enumerated() where range.contains(index) {
        result[member] = index % 3 == 0 ? .readOnly : .readWrite
      }
      return result
    }
    alice(tree, .share(root: "n0", name: "s0", open: .none, invited: invited(0..<7)))
    alice(tree, .share(root: "n1", name: "s1", open: .none, invited: invited(4..<10)))
    alice(tree, .share(root: "n2", name: "s2", open: .readOnly, invited: [:]))
    alice(whole, .share(root: nil, name: ReferenceModel.zoneWide, open: .none, invited: invited(5..<12)))
    for (index, member) in members.enumerated() {
      func accept(_ zone: String, _ link: String) {
        steps.append(ModelStep(person: member, zone: zone, action: .accept(link: link)))
      }
      if index < 7 { accept(tree, "n0#1") }
      if (4..<10).contains(index) { accept(tree, "n1#1") }
      if index % 2 == 0 { accept(tree, "n2#1") }
      if index >= 5 { accept(whole, "*#1") }
    }
    return steps
  }

  // MARK: Chances

  mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

  mutating func pick<Value>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values[Int(random.next() % UInt64(values.count))]
  }

  mutating func pickAccess() -> ModelStep.Access { chance(60) ? .readWrite : .readOnly }

  mutating func pickOpen() -> ModelStep.Access { pick(ModelStep.Access.allCases) ?? .none }

  /// Chooses at random. The number with each choice is its weight.
  mutating func choose<Choice>(_ choices: [(Choice, UInt64)]) -> Choice? {
    var number = random.next() % max(1, choices.reduce(0) { $0 + $1.1 })
    for (choice, weight) in choices {
      if number < weight { return choice }
      number -= weight
    }
    return nil
  }

  mutating func text() -> String { "\(stepCount).\(random.next() % 1000)" }
}
