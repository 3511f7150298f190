import FaultInjection
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Chains of parents in a batch: cycles and shared trees")
struct ParentChainTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func child(_ name: ExactName, of parent: ExactName) -> RecordSave {
    alice.note(name, "text", parent: .set(parent, zone: nil))
  }

  /// The error code of each save, in order; nil for success. Existing records are changed. By default not atomic.
  private func codes(_ saves: [RecordSave], atomic: Bool = false) throws -> [Int?] {
    try alice.modify(saves, policy: .changedKeys, atomic: atomic).saves.map { result in
      code { try result.get() }?.rawValue
    }
  }

  private func parents() throws -> [String: String?] {
    Dictionary(
      uniqueKeysWithValues: try alice.changes().changed.filter { $0.type == "Note" }.map {
        ($0.id.name.string, $0.parent?.string)
      })
  }

  @Test("a chain of 300 parents can be saved in any order and in several batches, and a cycle in it is refused")
  func chainOf300ParentsCanBeSaved() throws {
    var random = SeededGenerator(seed: TestSeed.value(5))
    let names = (0..<300).map { ExactName("n\($0)") }
    let chain = [alice.note(names[0], "text")] + names.indices.dropFirst().map { child(names[$0], of: names[$0 - 1]) }
    for (first, second) in [(chain, []), (chain.reversed(), []), (Array(chain[..<100]), chain[100...].reversed())] {
      let batches = [first, second].filter { !$0.isEmpty }
      for batch in batches { #expect(try codes(batch, atomic: true) == batch.map { _ in nil }) }
      #expect(try codes([child("n0", of: "n299")]) == [12])
      #expect(try codes(chain.dropFirst().shuffled(using: &random)) == chain.dropFirst().map { _ in nil })
      #expect(try codes(chain.dropFirst() + [child("n0", of: "n250")], atomic: true).suffix(1) == [12])
      #expect(try parents()["n0"] == .some(nil))
      _ = try alice.modify(delete: names).deletes.map { try $0.get() }
      #expect(try parents().isEmpty)
    }
  }

  // [record-parent-3]
  @Test("a cycle of new records is refused in any order, and an atomic batch with it fails as a whole")
  func cycleOfNewRecordsIsRefused() throws {
    let circle = [child("a", of: "b"), child("b", of: "c"), child("c", of: "a")]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let saves = order.map { circle[$0] } + [child("tail", of: "a")]
      #expect(try codes(saves, atomic: true).contains(12))
      #expect(try parents().isEmpty)
      #expect(try codes(saves).allSatisfy { $0 != nil })
      #expect(try parents().isEmpty)
    }
  }

  @Test("moving two trees below each other, in one batch or in two, is refused")
  func movingTwoTreesBelow() throws {
    #expect(
      try codes([
        alice.note("a", "text"), child("below a", of: "a"), alice.note("b", "text"), child("below b", of: "b"),
      ]) == [nil, nil, nil, nil])
    #expect(
      try codes([child("a", of: "below b"), child("b", of: "below a")], atomic: true).contains(12))
    #expect(try codes([child("a", of: "below b"), child("b", of: "below a")]) == [12, nil])
    #expect(try codes([child("a", of: "below b")]) == [12])
    #expect(try codes([alice.note("b", "text", parent: .clear), child("a", of: "below b")]) == [nil, nil])
  }

  @Test("a record whose move fails stays at its parent, and other moves are checked against that")
  func recordWhoseMoveFailsStays() throws {
    #expect(try codes([alice.note("b", "text"), child("a", of: "b")]) == [nil, nil])
    #expect(try codes([child("x", of: "b"), child("b", of: "a"), child("a", of: "nobody")]) == [nil, 12, 31])
    #expect(try parents() == ["a": "b", "b": nil, "x": "b"])
  }

  @Test("random moves match a simple model of the parent rules, and a participant sees exactly the shared tree")
  func randomMovesMatchASimpleModel() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    _ = try alice.modify([alice.note("n0", "text")])
    var model = ParentModel(stored: ["n0": nil])
    try Person(cloud, "bob").accept(try alice.share("n0", with: ["bob"]))
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    var (seen, token): (Set<String>, String?) = ([], nil)
    for round in 0..<300 {
      let names = (1..<10).map { "n\($0)" }.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random))
      let moves = names.map { name in
        let parent = "n\(Int.random(in: 0..<12, using: &random))"
        return ParentModel.Move(
          name: name, parent: [.keep, .clear, .set(parent), .set(parent), .set(parent)].randomElement(using: &random)!)
      }
      let expected = model.save(moves)
      let saves = moves.map { move in
        let name = ExactName(move.name)
        return switch move.parent {
        case .keep: alice.note(name, "\(round)")
        case .clear: alice.note(name, "\(round)", parent: .clear)
        case .set(let parent): child(name, of: ExactName(parent))
        }
      }
      try #require(try codes(saves) == expected, "seed \(seed), round \(round): \(moves)")
      try #require(try parents() == model.stored, "seed \(seed), round \(round)")
      let changes = try bob.changes(since: token)
      seen.formUnion(changes.changed.filter { $0.type == "Note" }.map(\.id.name.string))
      seen.subtract(changes.deleted.map(\.record.name.string))
      token = changes.token
      try #require(seen == model.tree(of: "n0"), "seed \(seed), round \(round)")
      if round % 50 == 49 { try #require(try cloud.service.checks.check() == [], "seed \(seed), round \(round)") }
    }
  }

  @Test("a participant can save a chain of new records in one batch, children first, inside the share only")
  func participantCanSaveAChainOfNew() throws {
    _ = try alice.modify([alice.note("root", "text"), alice.note("outside", "text")])
    try Person(cloud, "bob").accept(try alice.share("root", with: ["bob"]))
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    func chain(_ prefix: String, below root: ExactName) -> [RecordSave] {
      (0..<150).map { number in
        let parent = number == 0 ? root : ExactName("\(prefix)\(number - 1)")
        return bob.note(ExactName("\(prefix)\(number)"), "text", parent: .set(parent, zone: nil))
      }.reversed()
    }
    let response = try bob.modify(chain("in", below: "root"))
    #expect(try response.saves.map { try $0.get().id.name.string }.last == "in0")
    for root: ExactName in ["outside", "nobody", "out149"] {
      let refused = try bob.modify(chain("out", below: root), atomic: false).saves
      #expect(refused.allSatisfy { result in code { try result.get() } == .permissionFailure })
    }
    #expect(try bob.changes().changed.count == 152)
  }
}

/// A model with parents in a dictionary. For each rule it follows the parents from the record to the top.
private struct ParentModel {
  struct Move {
    enum Parent {
      case keep
      case clear
      case set(String)
    }

    var name: String
    var parent: Parent
  }

  var stored: [String: String?]

  /// The error code of each move; nil for success.
  mutating func save(_ moves: [Move]) -> [Int?] {
    var codes: [String: Int] = [:]
    let wanted = Dictionary(uniqueKeysWithValues: moves.map { ($0.name, $0) })
    func planned(_ name: String) -> String? {
      guard let move = wanted[name], codes[name] == nil else { return stored[name] ?? nil }
      return switch move.parent {
      case .keep: stored[name] ?? nil
      case .clear: nil
      case .set(let parent): parent
      }
    }
    func isAboveItself(_ name: String) -> Bool {
      var (next, passed) = (planned(name), Set<String>())
      while let current = next, passed.insert(current).inserted {
        if current == name { return true }
        next = planned(current)
      }
      return false
    }
    var isStable = false
    while !isStable {
      isStable = true
      for move in moves where codes[move.name] == nil {
        guard case .set(let parent) = move.parent else { continue }
        if isAboveItself(move.name) {
          codes[move.name] = 12
        } else if stored[parent] == nil, wanted[parent] == nil || codes[parent] != nil {
          codes[move.name] = [1, 31].contains(codes[parent]) ? 1 : 31
        } else {
          continue
        }
        isStable = false
      }
    }
    for move in moves where codes[move.name] == nil { stored[move.name] = .some(planned(move.name)) }
    return moves.map { codes[$0.name] }
  }

  /// The record and all of its descendants.
  func tree(of root: String) -> Set<String> {
    Set(
      stored.keys.filter { name in
        var next: String? = name
        while let current = next, current != root { next = stored[current] ?? nil }
        return next == root
      })
  }
}
