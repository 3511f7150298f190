import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("Kills and failing disks during changes of an index file")
struct IndexCrashTests {
  private struct Step {
    var insert: [[UInt8]]
    var remove: [[UInt8]]
  }

  private struct Scenario {
    var base: [[UInt8]]
    var steps: [Step]
    /// The keys for each sequence; 100 is the bulk load, and each step adds one.
    var states: [Int64: [[UInt8]]]

    init(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let pool = (0..<60).map { _ in randomKey(&generator, longest: 1500) }
      base = sorted(Set(pool.prefix(30)))
      var live = Set(base)
      states = [100: base]
      steps = []
      for number in 1...8 {
        let insert = (0..<4).map { _ in pool.randomElement(using: &generator)! }
        let remove = (0..<(number > 5 ? 12 : 3)).map { _ in pool.randomElement(using: &generator)! }
        live.subtract(remove)
        live.formUnion(insert)
        steps.append(Step(insert: insert, remove: remove))
        states[100 + Int64(number)] = sorted(live)
      }
    }

    /// Runs the steps after `sequence`; `reached` is the last step that returned.
    func run(in directory: Directory, from sequence: Int64, reached: inout Int64) throws {
      if sequence < 100 {
        try IndexFile.create(in: directory, name: "index")
        reached = 0
        try IndexFile.build(in: directory, name: "index", sortedKeys: base, sequence: 100)
        reached = 100
      }
      let index = try IndexFile.open(in: directory, name: "index")
      for (position, step) in steps.enumerated() where 101 + Int64(position) > sequence {
        try index.apply(insert: step.insert, remove: step.remove, sequence: 101 + Int64(position))
        reached = 101 + Int64(position)
      }
    }
  }

  private static let verdicts: [InjectedFault] = [
    .stopBefore, .stopAfter, .stopWithin(1), .stopWithin(50), .stopWithin(87), .stopWithin(5000),
    .fail(SystemError.noSpace),
  ]

  @Test("an index change that stops or fails at any call leaves the state before or after it", arguments: verdicts)
  func stoppedAtEveryCall(verdict: InjectedFault) throws {
    let scenario = Scenario(seed: TestSeed.value(21))
    let clean = try IndexFixture()
    var reached: Int64 = -1
    try scenario.run(in: clean.directory, from: -1, reached: &reached)
    let calls = clean.fileSystem.changes.load(ordering: .relaxed) - 1
    #expect(calls > 40)

    for call in 0..<calls {
      let comment: Comment = "call \(call), \(verdict)"
      let fixture = try IndexFixture()
      let counter = CallCounter()
      let process = try IndexFixture(fixture) { _ in counter.next() == call ? verdict : .proceed }
      reached = -1
      #expect(throws: SystemError.self, comment) {
        try scenario.run(in: process.directory, from: -1, reached: &reached)
      }
      guard let index = try IndexFile.openIfPresent(in: fixture.directory, name: "index") else {
        #expect(reached == -1, comment)
        continue
      }
      let sequence = try index.sequence
      let next: Int64 = reached < 0 ? 0 : reached == 0 ? 100 : reached + 1
      try #require(sequence == reached || sequence == next, comment)
      try #require(try index.keys() == scenario.states[sequence] ?? [], comment)
      try index.verify()
      // The next process continues from that state.
      try scenario.run(in: fixture.directory, from: sequence, reached: &reached)
      let final = try IndexFile.open(in: fixture.directory, name: "index")
      try final.verify()
      try #require(try final.keys() == scenario.states[108], comment)
    }
  }

  @Test func writesOnlyToPagesThatTheStateBeforeDoesNotUse() throws {
    let scenario = Scenario(seed: TestSeed.value(22))
    let fixture = try IndexFixture()
    var reached: Int64 = -1
    try scenario.run(in: fixture.directory, from: -1, reached: &reached)
    // Without the newest meta page the previous state is complete.
    let meta = try PageFile(file: fixture.directory.file("index")).meta()
    let file = try fixture.directory.file("index", .readWrite)
    try file.write([UInt8](repeating: 0, count: IndexMeta.size), at: IndexMeta.offset(of: meta.transaction))
    let index = try IndexFile.open(in: fixture.directory, name: "index")
    #expect(try index.sequence == 107)
    #expect(try index.keys() == scenario.states[107])
    try index.verify()
  }
}

private final class CallCounter: Sendable {
  private let count = Atomic<Int>(-1)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
