import FaultInjection
import Testing

@testable import LocalCloudObjectStore

@Suite("The order of the members of a relationship")
struct ArrangementTests {
  private typealias Sample = SampleStore

  @Test(
    "[store-18] a member that the new order omits stays behind its predecessor; objects that are no members are ignored"
  )
  func memberThatTheNewOrderOmitsStays() {
    #expect(Arrangement.merged([1, 2, 3, 4, 5], by: [4, 2, 9]) == [1, 4, 5, 2, 3])
    #expect(Arrangement.merged([1, 2], by: []) == [1, 2])
    #expect(Arrangement.merged([Int](), by: [1]) == [])
    #expect(Arrangement.merged([1, 2, 3], by: [3, 3, 1]) == [3, 1, 2])
  }

  @Test("[store-18] a new order gives rising positions and changes few of them")
  func newOrderGivesRisingPositionsAndChanges() {
    var random = SeededGenerator(seed: TestSeed.value(5))
    for _ in 0..<500 {
      var next: Int64 = 1 << 40
      let count = Int.random(in: 0...12, using: &random)
      var present = (0..<count).map { _ in Int64.random(in: -4...40, using: &random) }
      if Bool.random(using: &random) { present = present.map { $0 << 16 }.sorted() }
      if count > 2, Bool.random(using: &random) { present.swapAt(0, count - 1) }
      let result = Arrangement.positions(present, end: next) {
        next += Arrangement.distance
        return next
      }
      #expect(result.count == count, "\(present)")
      #expect(zip(result, result.dropFirst()).allSatisfy(<), "\(present)")
    }
    func moved(_ present: [Int64]) -> Int {
      let result = Arrangement.positions(present, end: 1000 << 16) { 1000 << 16 }
      return zip(present, result).count { $0 != $1 }
    }
    let list = (1...100).map { Int64($0) << 16 }
    #expect(moved(list) == 0)
    #expect(moved([list[99]] + list.dropLast()) == 1)
    #expect(moved(list.dropFirst() + [list[0]]) == 1)
    #expect(moved(list.prefix(50) + [list[99]] + list[50..<99]) == 1)
    // Positions that no store contains do not overflow.
    let extremes = Arrangement.positions([.max, .min, 0, .max], end: 9) { 10 }
    #expect(extremes == [-2 * Arrangement.distance, -Arrangement.distance, 0, 10])
  }

  @Test("[store-22] a change of the order changes no object's version and adds no history")
  func changeOfTheOrderChangesNoObjects() throws {
    try Sample.withPath("objects-order") { path in
      let store = try Sample.open(path)
      let items = Sample.relationship("items", of: Sample.person)
      let (author, notes) = try store.write { transaction in
        let author = transaction.newID(of: Sample.person)
        transaction.insert(Sample.row(author))
        let notes = (0..<3).map { _ in transaction.newID(of: Sample.note) }
        for note in notes.reversed() { transaction.insert(Sample.row(note, [:], ["author": author])) }
        return (author, notes)
      }.result
      // The member that was added last is last in the order. [store-17]
      #expect(try store.read { try $0.related(author, items) } == notes.reversed())
      let commit = try store.write { transaction in
        transaction.isInHistory = true
        try transaction.arrange(author, items, by: notes)
      }.commit
      #expect(commit?.updated == [])
      #expect(commit?.inserted == [])
      #expect(try store.read { try $0.related(author, items) } == notes)
      #expect(try store.read { try $0.rows(notes).map(\.version) } == [1, 1, 1])
      #expect(try store.read { try $0.history(after: 0) }.count == 1)
      // An updated object keeps its position. An object that moves to another owner becomes the last there.
      _ = try store.write { transaction in
        try transaction.update(Sample.row(notes[0], ["title": .string("x")], ["author": author]), changed: ["title"])
        try transaction.update(Sample.row(notes[1]), changed: ["author"])
      }
      #expect(try store.read { try $0.related(author, items) } == [notes[0], notes[2]])
      _ = try store.write { transaction in
        try transaction.update(Sample.row(notes[1], [:], ["author": author]), changed: ["author"])
        try transaction.append([notes[1], notes[0]], to: author, items)
      }
      #expect(try store.read { try $0.related(author, items) } == [notes[2], notes[1], notes[0]])
      #expect(try store.check() == [])
    }
  }
}
