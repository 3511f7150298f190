import CoreData
import Testing
import XCTest

/// Casts of fetch requests where a macro or a function takes them.
@Suite("Rewritten casts of fetch requests")
struct CastTests {
  private let request: NSPersistentStoreRequest = NSFetchRequest<Crate>(entityName: "Crate")

  private func throwing() throws -> NSPersistentStoreRequest { request }
  private func waiting() async throws -> NSPersistentStoreRequest { request }

  @Test("[rewrite-17] a cast is a condition of #require")
  func require() async throws {
    let erased = try #require(request as? NSFetchRequest<NSFetchRequestResult>)
    #expect(erased.entityName == "Crate")
    let thrown = try #require(try throwing() as? NSFetchRequest<Crate>, "a comment")
    #expect(thrown === request)
    let waited = try #require(try await waiting() as? NSFetchRequest<NSManagedObject>)
    #expect(waited === request)
    let inParentheses = try #require((request as? NSFetchRequest<Crate>))
    #expect(inParentheses === request)
    let optional: NSPersistentStoreRequest? = request
    #expect(try #require(optional as? NSFetchRequest<Crate>).entityName == "Crate")
  }

  @Test("[rewrite-17] a cast is a part of a condition of #expect")
  func expect() async throws {
    #expect(request as? NSFetchRequest<NSFetchRequestResult> != nil)
    #expect(nil != request as? NSFetchRequest<NSFetchRequestResult>)
    #expect(request as! NSFetchRequest<NSFetchRequestResult> === request)
    #expect((request as? NSFetchRequest<NSFetchRequestResult>)?.entityName == "Crate")
    #expect(try throwing() as? NSFetchRequest<Crate> != nil)
    #expect(try await waiting() as? NSFetchRequest<Crate> != nil, "a comment")
    let other: Any = "text"
    #expect(other as? NSFetchRequest<Crate> == nil)
    #expect(request as Any as? NSFetchRequest<Crate> != nil)
    #expect([request].map { $0 as! NSFetchRequest<NSFetchRequestResult> }.count == 1)
  }

  @Test("[rewrite-17] a cast is an argument of a function")
  func castIsAnArgumentOfAFunction() throws {
    let found = try XCTUnwrap(request as? NSFetchRequest<NSFetchRequestResult>)
    #expect(found === request)
    let one = request as Any as? NSFetchRequest<Crate> ?? NSFetchRequest<Crate>()
    #expect(one === request)
  }
}
