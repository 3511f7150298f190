import CoreData
import Foundation
import Synchronization
import Testing

@MainActor
private final class Received<Message> {
  var all: [Message] = []
}

@MainActor
@Suite("Messages of contexts with the main queue")
struct ContextMessageTests {
  private typealias Saved = NSManagedObjectContext.DidSaveMessage
  private typealias Changed = NSManagedObjectContext.ObjectsDidChangeMessage

  private let blog: Blog
  private let center = NotificationCenter.default
  private var context: NSManagedObjectContext { blog.container.viewContext }

  init() throws { blog = try Blog() }

  @Test("[object-save-8] a save calls the observers of its message before it returns, as long as their tokens exist")
  func saves() throws {
    let received = Received<Saved>()
    let token = center.addObserver(of: context, for: .didSave) { received.all.append($0) }
    var other: NotificationCenter.ObservationToken? = center.addObserver(of: context, for: Saved.self) {
      received.all.append($0)
    }
    #expect(other != nil)
    let post = Post(context: context)
    post.title = "One"
    try context.save()
    #expect(received.all.count == 2)
    for message in received.all {
      #expect(message.context === context)
      #expect(message.inserted == [post])
      #expect(message.updated.isEmpty && message.deleted.isEmpty)
      #expect(message.historyToken != nil)
      #expect(message.queryGeneration == nil)
    }
    // Without its token an observer gets no more messages.
    other = nil
    post.title = "Two"
    try context.save()
    #expect(received.all.count == 3)
    #expect(received.all.last?.updated == [post])
    center.removeObserver(token)
    context.delete(post)
    try context.save()
    #expect(received.all.count == 3)
  }

  @Test("[object-save-8] the message of a pinned context's save has the new state")
  func pinnedContext() throws {
    try context.setQueryGenerationFrom(.current)
    let received = Received<Saved>()
    let token = center.addObserver(of: context, for: .didSave) { received.all.append($0) }
    _ = Post(context: context)
    try context.save()
    #expect(received.all.count == 1)
    #expect(received.all.first?.queryGeneration != nil)
    center.removeObserver(token)
  }

  @Test("[object-save-8] the message of changed objects has the sets of its notification")
  func changes() throws {
    let received = Received<Changed>()
    let token = center.addObserver(of: context, for: .objectsDidChange) { received.all.append($0) }
    let post = Post(context: context)
    context.processPendingChanges()
    #expect(received.all.last?.context === context)
    #expect(received.all.last?.inserted == [post])
    try context.save()
    post.title = "One"
    context.processPendingChanges()
    #expect(received.all.last?.updated == [post])
    context.refresh(post, mergeChanges: false)
    context.processPendingChanges()
    #expect(received.all.last?.refreshed == [post])
    #expect(received.all.last?.invalidatedAll == nil)
    context.delete(post)
    context.processPendingChanges()
    #expect(received.all.last?.deleted == [post])
    context.reset()
    #expect(received.all.last?.invalidatedAll == true)
    #expect(received.all.last?.invalidated.isEmpty == true)
    center.removeObserver(token)
  }

  // MARK: Notifications

  @Test("[object-save-8] a message is made from a notification, and a notification from a message")
  func conversions() throws {
    let post = Post(context: context)
    let saved = try #require(
      Saved.makeMessage(
        Notification(
          name: Saved.name, object: context, userInfo: [NSInsertedObjectsKey: Set<NSManagedObject>([post])])))
    #expect(saved.inserted == [post])
    let save = Saved.makeNotification(saved)
    #expect(save.name == NSManagedObjectContext.didSaveObjectsNotification)
    #expect(save.object as? NSManagedObjectContext === context)
    #expect(save.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [post])
    #expect(save.userInfo?.count == 1)
    #expect(Saved.makeMessage(Notification(name: Saved.name)) == nil)

    let changed = try #require(
      Changed.makeMessage(
        Notification(
          name: Changed.name, object: context,
          userInfo: [
            NSInvalidatedObjectsKey: Set<NSManagedObject>([post]), NSInvalidatedAllObjectsKey: [post.objectID],
          ])))
    #expect(changed.invalidated == [post])
    let change = Changed.makeNotification(changed)
    #expect(change.name == .NSManagedObjectContextObjectsDidChange)
    #expect(change.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] == [post.objectID])
    #expect(Changed.makeMessage(Notification(name: Changed.name)) == nil)
  }

  @Test("[object-save-8] observers of a notification and of its message get what is posted as either of them")
  func postedMessages() throws {
    let center = NotificationCenter()
    let names = Mutex<[String]>([])
    var observers: [any NSObjectProtocol] = []
    for name in [Saved.name, nil] {
      observers.append(
        center.addObserver(forName: name, object: nil, queue: nil) { notification in
          names.withLock { $0.append(notification.name.rawValue) }
        })
    }
    let received = Received<Saved>()
    let ofAny = center.addObserver(of: NSManagedObjectContext.self, for: .didSave) { received.all.append($0) }
    let ofOne = center.addObserver(of: context, for: .didSave) { received.all.append($0) }
    let message = try #require(Saved.makeMessage(Notification(name: Saved.name, object: context)))
    center.post(message, subject: context)
    #expect(received.all.count == 2)
    center.post(message)
    #expect(received.all.count == 3)
    center.post(name: Saved.name, object: context)
    #expect(received.all.count == 5)
    #expect(received.all.allSatisfy { $0.context === context })
    #expect(names.withLock { $0 } == Array(repeating: Saved.name.rawValue, count: 6))
    for observer in observers { center.removeObserver(observer) }
    center.removeObserver(ofAny)
    center.removeObserver(ofOne)
    center.post(message, subject: context)
    #expect(received.all.count == 5 && names.withLock { $0.count } == 6)
  }

  @Test("[object-save-8] a save on another queue than the main one stops the process of an observer of the message")
  func anotherQueue() async {
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let context = blog.context()
      let token = NotificationCenter.default.addObserver(of: context, for: .didSave) { _ in }
      try await context.perform {
        _ = Post(context: context)
        try context.save()
      }
      withExtendedLifetime(token) {}
    }
  }
}
