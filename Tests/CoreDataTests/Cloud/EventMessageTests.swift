import CloudKit
import Foundation
import LocalCloudObjectStore
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import LocalCloudCoreDataMirroring

@Suite("Messages of a mirrored container", .timeLimit(.minutes(2)))
struct EventMessageTests {
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  private func add(_ title: String, to blog: CloudBlog) async throws {
    let context = blog.context()
    try await context.perform {
      _ = context.add("Post", ["title": title])
      try context.save()
    }
  }

  @Test("[mirror-46] observers and sequences of a container's messages get its events, in order")
  func eventMessages() async throws {
    typealias Message = NSPersistentCloudKitContainer.EventChangedMessage
    let center = NotificationCenter.default
    let (blog, other) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("alice", "tablet", in: cloud))
    await blog.drain()
    await other.drain()
    let messages = center.messages(of: blog.container, for: .eventChanged, bufferSize: 100)
    let (observed, continuation) = AsyncStream.makeStream(of: UUID.self)
    let token = center.addObserver(of: blog.container, for: .eventChanged) { continuation.yield($0.event.identifier) }
    try await add("One", to: other)
    await other.drain()
    try await add("Two", to: blog)
    await blog.drain()
    var events: [NSPersistentCloudKitContainer.Event] = []
    for await message in messages {
      events.append(message.event)
      if message.event.type == .export, message.event.endDate != nil { break }
    }
    let export = try #require(events.last)
    #expect(export.succeeded)
    #expect(events.contains { $0.identifier == export.identifier && $0.endDate == nil })
    let stores = [blog.privateStore, blog.sharedStore].map(\.identifier)
    #expect(events.allSatisfy { stores.contains($0.storeIdentifier) })
    for await identifier in observed where identifier == export.identifier { break }
    center.removeObserver(token)
    #expect(Message.name == NSPersistentCloudKitContainer.eventChangedNotification)
    let message = try #require(
      Message.makeMessage(
        Notification(
          name: Message.name, userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: export])))
    #expect(message.event === export)
    let notification = Message.makeNotification(message)
    #expect(notification.name == Message.name)
    #expect(
      notification.userInfo?[NSPersistentCloudKitContainer.eventNotificationUserInfoKey] as AnyObject? === export)
    #expect(Message.makeMessage(Notification(name: Message.name)) == nil)
  }

  @Test("[mirror-46] a posted message reaches observers of the notification, of its container and of any")
  func postedMessages() async throws {
    typealias Message = NSPersistentCloudKitContainer.EventChangedMessage
    let blog = try CloudBlog("alice", "phone", in: cloud)
    let event = NSPersistentCloudKitContainerEvent(MirroringEvent(.setup, of: blog.privateStore.objects))
    let message = try #require(
      Message.makeMessage(
        Notification(
          name: Message.name, userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])))
    let center = NotificationCenter()
    let posted = Mutex(0)
    let observer = center.addObserver(forName: Message.name, object: blog.container, queue: nil) { _ in
      posted.withLock { $0 += 1 }
    }
    let ofContainer = center.messages(of: blog.container, for: Message.self)
    let ofAny = center.messages(of: NSPersistentCloudKitContainer.self, for: .eventChanged)
    let (observed, continuation) = AsyncStream.makeStream(of: Message.self)
    let tokens = [
      center.addObserver(for: Message.self) { continuation.yield($0) },
      center.addObserver(of: NSPersistentCloudKitContainer.self, for: .eventChanged) { continuation.yield($0) },
    ]
    center.post(message)
    center.post(message, subject: blog.container)
    #expect(posted.withLock { $0 } == 1)
    // The message without a container is not one of this container.
    for await message in ofContainer {
      #expect(message.event === event)
      break
    }
    var count = 0
    for await message in ofAny {
      #expect(message.event === event)
      count += 1
      if count == 2 { break }
    }
    count = 0
    for await message in observed {
      #expect(message.event === event)
      count += 1
      if count == 4 { break }
    }
    for token in tokens { center.removeObserver(token) }
    center.removeObserver(observer)
  }
}
