import Foundation
import LocalCloudCoreDataModel
import Testing

@testable import CoreData

@Suite("Fetch request templates of models")
struct FetchTemplateTests {
  private static let content = """
    <entity name="Book"><attribute name="title" attributeType="String"/>
      <attribute name="pages" attributeType="Integer 32" defaultValueString="0"/></entity>
    <entity name="Comic" parentEntity="Book"/>
    <fetchRequest name="long" entity="Book" predicateString="pages &gt;= $PAGES AND title BEGINSWITH $TITLE"
      fetchLimit="5" fetchBatchSize="3" includesPendingChanges="YES" returnObjectsAsFaults="YES"/>
    <fetchRequest name="all" entity="Book" resultType="1"/>
    """

  private func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test("[request-template-1] a template of a model file has all its settings")
  func templateOfAModelFile() throws {
    let model = try ModelTexts.model(Self.content)
    #expect(Set(model.fetchRequestTemplatesByName.keys) == ["long", "all"])
    let long = try #require(model.fetchRequestTemplate(forName: "long"))
    #expect(long.entity === model.entitiesByName["Book"])
    #expect(long.entityName == "Book")
    #expect(long.fetchLimit == 5)
    #expect(long.fetchBatchSize == 3)
    #expect(long.includesPendingChanges)
    #expect(long.returnsObjectsAsFaults)
    #expect(!long.includesSubentities)
    #expect(long.resultType == .managedObjectResultType)
    let all = try #require(model.fetchRequestTemplate(forName: "all"))
    #expect(all.resultType == .managedObjectIDResultType)
    #expect(all.includesSubentities)
    #expect(all.predicate == nil)
    #expect(model.fetchRequestTemplate(forName: "none") == nil)
    #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
  }

  @Test("[request-template-2] substitution replaces the variables of a template")
  func substitutionReplacesTheVariablesOfATemplate() throws {
    let model = try ModelTexts.model(Self.content)
    let context = try context(model)
    try context.performAndWait {
      for (title, pages) in [("Ada", 10), ("Emma", 500), ("Emil", 200), ("Eva", 100)] {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(pages, forKey: "pages")
      }
      try context.save()
      func titles(_ variables: [String: Any]) throws -> [String] {
        let request = try #require(model.fetchRequestFromTemplate(withName: "long", substitutionVariables: variables))
        return try context.fetch(request).compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
          .sorted()
      }
      #expect(try titles(["PAGES": 200, "TITLE": "E"]) == ["Emil", "Emma"])
      #expect(try titles(["PAGES": 0, "TITLE": "A"]) == ["Ada"])
      // A compound of predicates from the program.
      let copy = try #require(model.copy() as? NSManagedObjectModel)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "pages < $MOST"), NSPredicate(format: "pages > 10"),
      ])
      copy.setFetchRequestTemplate(request, forName: "short")
      #expect(copy.fetchRequestTemplate(forName: "short") === request)
      let short = try #require(
        copy.fetchRequestFromTemplate(withName: "short", substitutionVariables: ["MOST": 200]))
      let found = try context.fetch(short)
      #expect(found.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String } == ["Eva"])
      #expect(request.predicate?.tree != short.predicate?.tree)
      copy.setFetchRequestTemplate(nil, forName: "short")
      #expect(copy.fetchRequestTemplate(forName: "short") == nil)
    }
  }

  @Test("[request-template-3] copies and merged models have templates for their own entities; a model in use is frozen")
  func copiesAndMergedModelsHaveTemplates() async throws {
    let model = try ModelTexts.model(Self.content)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.fetchRequestTemplate(forName: "all")?.entity === copy.entitiesByName["Book"])
    let other = try ModelTexts.model("<entity name=\"Shop\"/><fetchRequest name=\"shops\" entity=\"Shop\"/>")
    let merged = try #require(NSManagedObjectModel(byMerging: [model, other]))
    #expect(Set(merged.fetchRequestTemplatesByName.keys) == ["long", "all", "shops"])
    #expect(merged.fetchRequestTemplate(forName: "shops")?.entity === merged.entitiesByName["Shop"])
    model.freeze()
    model.fetchRequestTemplate(forName: "all")?.fetchLimit = 7
    #expect(model.fetchRequestTemplate(forName: "all")?.fetchLimit == 0)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = try ModelTexts.trips()
      model.freeze()
      model.setFetchRequestTemplate(nil, forName: "all")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'Can't modify an immutable model.'"))
  }

  @Test("[request-template-1] a template with an unreadable predicate is omitted")
  func templateWithAnUnreadablePredicateIsOmitted() throws {
    let model = try ModelTexts.model(
      "<entity name=\"A\"/><fetchRequest name=\"bad\" entity=\"A\" predicateString=\"a ==\"/>"
        + "<fetchRequest name=\"good\" entity=\"A\" predicateString=\"TRUEPREDICATE\"/>")
    #expect(Array(model.fetchRequestTemplatesByName.keys) == ["good"])
  }
}
