import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("No plain text of encrypted attributes in the cloud", .timeLimit(.minutes(2)))
struct EncryptedTraceTests {
  private static let secret = "SECRET-4711-LOCATION"
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  private func paths(_ text: String = secret) throws -> [String] { try SecretSearch([text]).paths(below: cloud.path) }

  @Test("encrypted values are plain only in the devices' stores, also while two devices edit one object [mirror-6]")
  func encryptedValuesArePlain() async throws {
    let (phone, tablet) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("alice", "tablet", in: cloud))
    try await save(on: phone) { context in
      for number in 0..<20 {
        let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
        post.setValue("OPENTITLE-\(number)", forKey: "title")
        post.setValue("\(Self.secret) \(number)", forKey: "location")
      }
    }
    await phone.drain()
    await tablet.drain()
    for (blog, text) in [(phone, "phone"), (tablet, "tablet")] {
      try await save(on: blog) { context in
        for post in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post")) {
          post.setValue("\(Self.secret) by the \(text)", forKey: "location")
        }
      }
    }
    for _ in 0..<2 {
      await phone.drain()
      await tablet.drain()
    }
    #expect(try paths() == [])
    #expect(try exposedDeviceFiles(in: cloud.path) == [])
    // Controls: the search finds values that are not encrypted, and the secret in the devices' stores.
    #expect(try paths("OPENTITLE-7").contains { $0.contains("/records/") })
    for blog in [phone, tablet] {
      #expect(try !SecretSearch([Self.secret]).paths(below: blog.folder.path).isEmpty)
    }
  }

  private func save(on blog: CloudBlog, _ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void)
    async throws
  {
    let context = blog.context()
    try await context.perform {
      try edit(context)
      try context.save()
    }
  }
}
