import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization
import Testing

@Suite("The history of an object store")
struct HistoryTests {
  private typealias Sample = SampleStore

  private func insert(_ store: ObjectStore, _ count: Int = 1, isInHistory: Bool = true) throws -> StoreCommit {
    let commit = try store.write { transaction in
      transaction.isInHistory = isInHistory
      for _ in 0..<count { transaction.insert(Sample.row(transaction.newID(of: Sample.tag))) }
    }.commit
    return try #require(commit)
  }

  // [store-6]
  @Test("the history has author, context, time, process and changes of each transaction that is to be recorded")
  func historyHasAuthorContextTimeProcess() throws {
    try Sample.withPath("objects-history") { path in
      let store = try Sample.open(path)
      let start = systemTimeMilliseconds()
      let first = try store.write { transaction in
        transaction.author = "me"
        transaction.contextName = "view"
        transaction.insert(Sample.row(transaction.newID(of: Sample.note), ["title": .string("One")]))
      }.commit
      let reserved = try store.write { ($0.newNumber(), $0.newID(of: Sample.post)) }
      let hidden = try insert(store, isInHistory: false)
      let last = try store.write { transaction in
        for id in try transaction.ids(of: Sample.note) { try transaction.delete(id) }
        transaction.insert(Sample.row(reserved.result.1))
      }.commit
      #expect(reserved.commit?.inserted == [])
      #expect(reserved.commit?.transaction == reserved.result.1.number)
      let history = try store.read { try $0.history(after: 0) }
      let note = try #require(first?.inserted.first)
      #expect(history.map(\.number) == [first?.transaction, last?.transaction])
      #expect(history[0].author == "me")
      #expect(history[0].contextName == "view")
      #expect(history[1].author == nil)
      #expect(history[0].time >= start)
      #expect(history[0].process == String(HostProcess.identifier))
      #expect(history[0].changes == [.insert(note)])
      #expect(history[1].changes == [.insert(reserved.result.1), .delete(note, ["title": .string("One")])])
      #expect(try store.read { try $0.history(after: hidden.transaction) } == [history[1]])
      #expect(try store.read { try $0.history(after: 0, limit: 1) } == [history[0]])
      #expect(try store.write { _ in }.commit == nil)
      #expect(try store.read { try $0.head() } == last?.transaction)
    }
  }

  // [store-7]
  @Test("a transaction of many changes takes several lines and is read as one; numbers are used once")
  func transactionOfManyChangesTakesSeveralLines() throws {
    try Sample.withPath("objects-large") { path in
      let store = try Sample.open(path)
      let commit = try insert(store, 2_500)
      let update = try store.write { transaction in
        for id in commit.inserted { try transaction.update(Sample.row(id), changed: ["name"]) }
      }.commit
      let history = try Sample.open(path).read { try $0.history(after: 0) }
      #expect(history.map(\.changes.count) == [2_500, 2_500])
      #expect(history.map(\.number) == [commit.transaction, update?.transaction])
      #expect(try store.read { try $0.history(after: commit.transaction) } == [history[1]])
      let lines = try Directory.open(path: path, in: FileSystem()).contents("history.jsonl")?.split(separator: 10).count
      #expect(lines == 6)
      let next = try insert(store)
      let last = try #require(update?.transaction)
      #expect(next.inserted.allSatisfy { $0.number > last })
      #expect(try store.check() == [])
    }
  }

  // [store-8]
  @Test("a read of purged history fails with historyPurged, and new transactions continue the numbers")
  func readOfPurgedHistoryFailsWithHistoryPurged() throws {
    try Sample.withPath("objects-purge") { path in
      let store = try Sample.open(path)
      let commits = try (0..<4).map { _ in try insert(store, 3) }
      try store.purgeHistory(through: commits[1].transaction + 1)
      #expect(throws: ObjectStoreError.historyPurged) { try store.read { try $0.history(after: 0) } }
      #expect(throws: ObjectStoreError.historyPurged) {
        try store.read { try $0.history(after: commits[0].transaction) }
      }
      let horizon = try store.read { try $0.historyHorizon() }
      #expect(horizon == commits[1].transaction)
      #expect(try store.read { try $0.history(after: horizon).map(\.number) } == commits[2...].map(\.transaction))
      try store.purgeHistory(through: .max)
      #expect(try store.read { try $0.history(after: commits[3].transaction) } == [])
      #expect(try Sample.open(path).read { try $0.head() } == commits[3].transaction)
      let next = try insert(store)
      #expect(next.transaction == commits[3].transaction + 1)
      #expect(try store.read { try $0.history(after: commits[3].transaction).map(\.number) } == [next.transaction])
      #expect(try store.check() == [])
      #expect(try store.read { try $0.ids(of: Sample.tag).count } == 13)
    }
  }

  @Test("a store knows transactions that it made without others between them")
  func storeKnowsItsOwnTransactions() throws {
    try Sample.withPath("objects-own") { path in
      let (store, other) = (try Sample.open(path), try Sample.open(path))
      let start = try store.read { try $0.head() }
      let first = try insert(store).transaction
      let second = try insert(store).transaction
      #expect(store.ownEnd(after: start) == second)
      #expect(store.ownEnd(after: first) == second)
      #expect(other.ownEnd(after: start) == start)
      let foreign = try insert(other).transaction
      #expect(store.ownEnd(after: second) == second)
      #expect(other.ownEnd(after: second) == foreign)
      #expect(other.ownEnd(after: first) == first)
      let third = try insert(store).transaction
      #expect(store.ownEnd(after: second) == second)
      #expect(store.ownEnd(after: foreign) == third)
      #expect(other.ownEnd(after: second) == foreign)
    }
  }

  @Test("after its own commits a store finds without a lock or a read that no other has committed")
  func storeFindsThatNoOtherHasCommitted() throws {
    let calls = Mutex<[FileSystemCall]>([])
    let fileSystem = FileSystem(observing: .allCalls) { call in
      calls.withLock { $0.append(call) }
      return .proceed
    }
    try Sample.withPath("objects-alone") { path in
      let (store, other) = (try Sample.open(path, in: fileSystem), try Sample.open(path))
      let start = try store.read { try $0.head() }
      #expect(!store.hasMadeAll(after: start))
      for _ in 0..<2 { _ = try insert(store) }
      calls.withLock { $0 = [] }
      #expect(store.hasMadeAll(after: start))
      #expect(calls.withLock { $0 } == [.status(path + "/history.jsonl")])
      let foreign = try insert(other).transaction
      #expect(!store.hasMadeAll(after: start))
      _ = try insert(store)
      // The other one's commit lies between.
      #expect(!store.hasMadeAll(after: start))
      #expect(store.hasMadeAll(after: foreign))
      _ = try insert(other)
      #expect(!store.hasMadeAll(after: foreign))
    }
  }

  @Test("a watch reports a commit of another instance")
  func watchReportsACommitOfAnotherInstance() throws {
    try Sample.withPath("objects-watch") { path in
      let (store, other) = (try Sample.open(path), try Sample.open(path))
      let watch = try store.watch()
      _ = try insert(other)
      #expect(watch.wait(seconds: 10) == .changed)
    }
  }
}
