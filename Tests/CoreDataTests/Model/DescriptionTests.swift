import CoreData
import Foundation
import Testing

@Suite("Stored properties of a model's parts")
struct DescriptionTests {
  // [coredata-version-1] [coredata-version-2]
  @Test("only the version hash modifiers change the hashes of entities and properties")
  @available(*, deprecated)
  func onlyTheVersionHashModifiersChange() {
    let entity = NSEntityDescription()
    entity.name = "Item"
    let attribute: NSPropertyDescription = BlogModel.attribute("name", .string)
    entity.properties = [attribute]
    let (before, whole) = (attribute.versionHash, entity.versionHash)
    attribute.userInfo = ["a": 1]
    attribute.isIndexed = true
    attribute.isIndexedBySpotlight = true
    attribute.isStoredInExternalRecord = true
    entity.compoundIndexes = [["name"]]
    #expect(attribute.versionHash == before)
    #expect(entity.versionHash == whole)
    #expect(attribute.isIndexed)
    #expect(attribute.isIndexedBySpotlight)
    #expect(attribute.isStoredInExternalRecord)
    #expect(attribute.userInfo?["a"] as? Int == 1)
    #expect(entity.compoundIndexes.count == 1)
    attribute.versionHashModifier = "2"
    #expect(attribute.versionHash != before)
    #expect(entity.versionHash != whole)
    let changed = entity.versionHash
    entity.versionHashModifier = "3"
    #expect(entity.versionHash != changed)
    #expect(entity.versionHashModifier == "3")
    let older = NSAttributeDescription()
    older.attributeType = .dateAttributeType
    #expect(older.type == .date)
    #expect(older.attributeType == .dateAttributeType)
    let model = NSManagedObjectModel()
    model.localizationDictionary = ["Entity/Item": "Thing"]
    #expect(model.localizationDictionary == ["Entity/Item": "Thing"])
  }

  // [coredata-merge-3] [coredata-merge-4]
  @Test("the default policy throws a conflict that a program made")
  func defaultPolicyThrowsAConflict() throws {
    let blog = try Blog()
    let context = blog.context()
    context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      let conflict = NSMergeConflict(
        source: post, newVersion: 2, oldVersion: 1, cachedSnapshot: ["title": "Zero"], persistedSnapshot: nil)
      #expect(conflict.sourceObject === post)
      #expect(conflict.newVersionNumber == 2)
      #expect(conflict.oldVersionNumber == 1)
      #expect(conflict.cachedSnapshot?["title"] as? String == "Zero")
      #expect(conflict.persistedSnapshot == nil)
      let error = #expect(throws: NSError.self) { try NSMergePolicy.error.resolve(mergeConflicts: [conflict]) }
      #expect(error?.code == NSManagedObjectMergeError)
      let unique = NSConstraintConflict(
        constraint: ["title"], database: nil, databaseSnapshot: nil, conflicting: [post], conflictingSnapshots: [[:]])
      let other = #expect(throws: NSError.self) { try NSMergePolicy.error.resolve(constraintConflicts: [unique]) }
      #expect(other?.code == NSManagedObjectConstraintMergeError)
    }
  }
}
