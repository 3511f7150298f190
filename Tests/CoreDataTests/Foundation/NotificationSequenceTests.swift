import CoreData
import Foundation
import Testing

@Suite("Notifications as a sequence")
struct NotificationSequenceTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("Change")

  @Test("the sequence has each notification of the name once, in order, from the iterator's creation on")
  func sequenceHasEachNotificationOfTheName() async {
    center.post(name: name, object: nil, userInfo: ["number": 0])
    var posts = center.notifications(named: name).makeAsyncIterator()
    for number in 1...3 {
      center.post(name: Notification.Name("Other"), object: nil)
      center.post(name: name, object: nil, userInfo: ["number": number])
    }
    for number in 1...3 { #expect(await posts.next()?.userInfo?["number"] as? Int == number) }
  }

  @Test("a sequence for one object has that object's notifications only")
  func sequenceForOneObjectHasThatObjects() async {
    let (one, other) = (NSString(string: "one"), NSString(string: "other"))
    var posts = center.notifications(named: name, object: one).makeAsyncIterator()
    center.post(name: name, object: other)
    center.post(name: name, object: one)
    #expect(await posts.next()?.object as AnyObject? === one)
  }

  @Test("a cancelled task gets nil and observes nothing more")
  func cancelledTaskGetsNilAndObservesNothing() async {
    let (center, name) = (center, name)
    let task = Task {
      var count = 0
      for await _ in center.notifications(named: name) { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @MainActor
  @Test("code of the main actor receives a store's remote changes")
  func remoteChanges() async throws {
    let blog = try Blog(options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
    var changes = NotificationCenter.default.notifications(
      named: .NSPersistentStoreRemoteChange, object: blog.container.persistentStoreCoordinator
    ).makeAsyncIterator()
    let context = blog.context()
    try await context.perform {
      _ = Post(context: context)
      try context.save()
    }
    let change = await changes.next()
    #expect(change?.userInfo?[NSStoreUUIDKey] as? String == blog.store.identifier)
  }
}
