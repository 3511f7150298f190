import CoreData
import Foundation
import Testing

@Suite("Long bytes of an attribute with external storage")
struct LongBytesTests {
  private let blog: Blog
  private let context: NSManagedObjectContext
  private let bytes = Data(repeating: 1, count: 200_000)
  private let others = Data(repeating: 2, count: 200_000)

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  /// A post with long bytes, saved and fetched again.
  private func savedPost() throws -> Post {
    let post = Post(context: context)
    post.title = "One"
    post.image = bytes
    try context.save()
    context.reset()
    return try #require(try context.fetch(Post.all()).first)
  }

  private func lastTransaction() throws -> NSPersistentHistoryTransaction {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return try #require((result?.result as? [NSPersistentHistoryTransaction])?.last)
  }

  @Test("setting equal bytes is no change")
  func settingEqualBytesIsNoChange() throws {
    try context.performAndWait {
      let post = try savedPost()
      post.image = bytes
      #expect(post.changedValues().isEmpty)
      #expect(!post.hasPersistentChangedValues)
      let number = try lastTransaction().transactionNumber
      try context.save()
      #expect(try lastTransaction().transactionNumber == number)
    }
  }

  @Test("a save names the changed property only, not bytes that were set to the same value again")
  func alikeBesideAnother() throws {
    try context.performAndWait {
      let post = try savedPost()
      post.image = others
      post.image = bytes
      post.title = "Two"
      try context.save()
      #expect(try lastTransaction().changes?.first?.updatedProperties?.map(\.name) == ["title"])
      #expect(post.image == bytes)
    }
  }

  @Test("different bytes of the same length are a change")
  func differentBytesOfTheSameLength() throws {
    try context.performAndWait {
      let post = try savedPost()
      post.image = others
      #expect(post.changedValues()["image"] as? Data == others)
      try context.save()
      #expect(try lastTransaction().changes?.first?.updatedProperties?.map(\.name) == ["image"])
    }
  }

  @Test("a merging refresh takes newer bytes where the program set the former ones")
  func mergingRefreshTakesNewerBytesWhere() throws {
    try context.performAndWait {
      let post = try savedPost()
      post.image = bytes
      let other = blog.context()
      try other.performAndWait {
        try #require(try other.fetch(Post.all()).first).image = others
        try other.save()
      }
      context.refresh(post, mergeChanges: true)
      #expect(post.image == others)
    }
  }

  @Test("committed values contain the bytes")
  func committedValuesContainTheBytes() throws {
    try context.performAndWait {
      let post = try savedPost()
      post.image = nil
      #expect(post.committedValues(forKeys: ["image"])["image"] as? Data == bytes)
    }
  }

  @Test("snapshots of a conflict contain the bytes")
  func snapshotsOfAConflictContainTheBytes() throws {
    try context.performAndWait {
      let post = try savedPost()
      post.title = "Mine"
      let other = try Blog(blog.folder).context()
      try other.performAndWait {
        try #require(try other.fetch(Post.all()).first).title = "Theirs"
        try other.save()
      }
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
      #expect(conflict.persistedSnapshot?["image"] as? Data == bytes)
      #expect(conflict.cachedSnapshot?["image"] as? Data == bytes)
    }
  }

  @Test("a dictionary result contains the bytes")
  func dictionaryResultContainsTheBytes() throws {
    try context.performAndWait {
      _ = try savedPost()
      let request = NSFetchRequest<NSDictionary>(entityName: "Post")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["image"]
      #expect(try context.fetch(request).first?["image"] as? Data == bytes)
    }
  }
}
