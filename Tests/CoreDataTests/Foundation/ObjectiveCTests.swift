import Foundation
import Testing

@testable import CoreData

/// Declarations that programs need that were written for Objective-C's runtime.
@Suite("Declarations of Objective-C's runtime")
struct ObjectiveCTests {
  @Test("a context made by new() has the confinement type")
  @available(*, deprecated)
  func new() {
    let context = NSManagedObjectContext.new()
    #expect(context.concurrencyType == .confinementConcurrencyType)
    context.observeValue(forKeyPath: "name", of: nil, change: nil, context: nil)
    #expect(!context.hasChanges)
  }

  @Test("both types of queues have newer and older names")
  func bothTypesOfQueuesHaveNewer() {
    for (newer, older) in [
      (
        NSManagedObjectContext.ConcurrencyType.mainQueue, NSManagedObjectContextConcurrencyType.mainQueueConcurrencyType
      ),
      (.privateQueue, .privateQueueConcurrencyType),
    ] {
      #expect(NSManagedObjectContext(newer).concurrencyType == older)
    }
    #expect(
      [1, 2, 3].map { NSManagedObjectContextConcurrencyType(rawValue: $0) }
        == [.privateQueueConcurrencyType, .mainQueueConcurrencyType, nil])
  }

  @Test("a set mutation is a change of the key; an object stores observation info")
  func setMutationIsAChange() throws {
    let context = try Blog().context()
    context.performAndWait {
      let post = Post(context: context)
      post.changedInEvent = []
      post.willChangeValue(forKey: "tags", withSetMutation: .union, using: [])
      post.didChangeValue(forKey: "tags", withSetMutation: .union, using: [])
      #expect(post.changedInEvent == ["tags"])
      #expect(post.observationInfo() == nil)
      let pointer = UnsafeMutableRawPointer(bitPattern: 16)
      post.setObservationInfo(pointer)
      #expect(post.observationInfo() == pointer)
    }
    #expect([1, 2, 3, 4].map { NSKeyValueSetMutationKind(rawValue: $0) } == [.union, .minus, .intersect, .set])
  }

  @Test("the version numbers of the framework rise, and the current one is the highest")
  func versionNumbersOfTheFrameworkRise() {
    let mac = [
      NSCoreDataVersionNumber10_4, NSCoreDataVersionNumber10_4_3, NSCoreDataVersionNumber10_5,
      NSCoreDataVersionNumber10_5_3, NSCoreDataVersionNumber10_6, NSCoreDataVersionNumber10_6_2,
      NSCoreDataVersionNumber10_6_3, NSCoreDataVersionNumber10_7, NSCoreDataVersionNumber10_8,
      NSCoreDataVersionNumber10_8_2, NSCoreDataVersionNumber10_9, NSCoreDataVersionNumber10_9_2,
      NSCoreDataVersionNumber10_9_3, NSCoreDataVersionNumber10_10, NSCoreDataVersionNumber10_10_2,
      NSCoreDataVersionNumber10_10_3, NSCoreDataVersionNumber10_11, NSCoreDataVersionNumber10_11_3,
    ]
    #expect(mac == mac.sorted())
    #expect(mac.first == 46)
    #expect(mac.last == 641.3)
    // The version numbers of bug-fix releases are not decimal fractions.
    #expect(
      [NSCoreDataVersionNumber10_7_2, NSCoreDataVersionNumber10_7_3, NSCoreDataVersionNumber10_7_4]
        == [358.12, 358.13, 358.14])
    let phone = [
      NSCoreDataVersionNumber_iPhoneOS_3_0, NSCoreDataVersionNumber_iPhoneOS_3_1, NSCoreDataVersionNumber_iPhoneOS_3_2,
      NSCoreDataVersionNumber_iPhoneOS_5_0, NSCoreDataVersionNumber_iPhoneOS_5_1, NSCoreDataVersionNumber_iPhoneOS_6_0,
      NSCoreDataVersionNumber_iPhoneOS_6_1, NSCoreDataVersionNumber_iPhoneOS_7_0, NSCoreDataVersionNumber_iPhoneOS_7_1,
      NSCoreDataVersionNumber_iPhoneOS_8_0, NSCoreDataVersionNumber_iPhoneOS_8_3, NSCoreDataVersionNumber_iPhoneOS_9_0,
      NSCoreDataVersionNumber_iPhoneOS_9_2, NSCoreDataVersionNumber_iPhoneOS_9_3,
    ]
    #expect(phone == phone.sorted())
    #expect(phone.first == 241)
    #expect(phone.last == 641.6)
    #expect(
      [
        NSCoreDataVersionNumber_iPhoneOS_4_0, NSCoreDataVersionNumber_iPhoneOS_4_1,
        NSCoreDataVersionNumber_iPhoneOS_4_2, NSCoreDataVersionNumber_iPhoneOS_4_3,
      ] == [320.5, 320.11, 320.15, 320.17])
    #expect(NSCoreDataVersionNumber > phone.max() ?? 0)
  }

  @Test("the default folder of stores is also a property")
  func defaultFolderOfStores() {
    let property: URL = NSPersistentContainer.defaultDirectoryURL
    #expect(property == NSPersistentContainer.defaultDirectoryURL())
  }
}
