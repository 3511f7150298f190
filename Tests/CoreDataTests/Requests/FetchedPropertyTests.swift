import Foundation
import LocalCloudCoreDataModel
import Testing

@testable import CoreData

@Suite("Fetched properties")
struct FetchedPropertyTests {
  private let model: NSManagedObjectModel
  private let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator

  init() throws {
    model = try ModelTexts.model(
      """
      <entity name="Reader"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="least" attributeType="Integer 32" defaultValueString="0"/>
        <fetchedProperty name="books" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Book" includesPendingChanges="YES"
            predicateString="owner == $FETCH_SOURCE.name AND pages &gt;= $FETCH_SOURCE.least"/>
          <userInfo><entry key="kind" value="novel"/></userInfo>
        </fetchedProperty>
        <fetchedProperty name="others" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Reader" predicateString="SELF != $FETCH_SOURCE"/>
        </fetchedProperty>
        <fetchedProperty name="novels" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"
            predicateString="kind == $FETCHED_PROPERTY.userInfo.kind"/>
          <userInfo><entry key="kind" value="novel"/></userInfo>
        </fetchedProperty>
      </entity>
      <entity name="Book"><attribute name="owner" optional="YES" attributeType="String"/>
        <attribute name="kind" optional="YES" attributeType="String"/>
        <attribute name="pages" attributeType="Integer 32" defaultValueString="0"/></entity>
      """)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
  }

  private func book(_ owner: String, _ pages: Int, _ kind: String? = nil) -> NSManagedObject {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(owner, forKey: "owner")
    book.setValue(pages, forKey: "pages")
    book.setValue(kind, forKey: "kind")
    return book
  }

  private func reader(_ name: String, least: Int = 0) -> NSManagedObject {
    let reader = NSEntityDescription.insertNewObject(forEntityName: "Reader", into: context)
    reader.setValue(name, forKey: "name")
    reader.setValue(least, forKey: "least")
    return reader
  }

  private func pages(_ reader: NSManagedObject, _ key: String = "books") -> [Int] {
    let books = reader.value(forKey: key) as? [NSManagedObject]
    return books?.compactMap { $0.value(forKey: "pages") as? Int }.sorted() ?? [-1]
  }

  @Test("[request-fetched-1] a fetched property returns the request's objects, with variables for object and property")
  func fetchedPropertyReturnsTheRequestsObjects() throws {
    try context.performAndWait {
      let (ann, bob) = (reader("Ann", least: 100), reader("Bob"))
      _ = [book("Ann", 50), book("Ann", 150, "novel"), book("Ann", 300), book("Bob", 10, "novel")]
      // The properties of new objects include unsaved objects.
      #expect(pages(ann) == [150, 300])
      #expect(pages(bob) == [10])
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Reader")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let readers = try context.fetch(request)
      #expect(readers[0].isFault)
      #expect(pages(readers[0]) == [150, 300])
      #expect(pages(readers[1]) == [10])
      #expect(pages(readers[0], "novels") == [10, 150])
      #expect(readers[0].value(forKey: "others") as? [NSManagedObject] == [readers[1]])
      let typed: [NSManagedObject]? = readers[1][_managed: "others"]
      #expect(typed == [readers[0]] && (readers[0].value(forKey: "others") as? NSArray)?.count == 1)
      #expect(!readers[0].hasChanges)
      #expect(readers[0].committedValues(forKeys: nil).keys.sorted() == ["least", "name"])
      #expect(NSPredicate(format: "books.@count == 2").evaluate(with: readers[0]))
    }
  }

  @Test("[request-fetched-2] a fetched property is fetched once, until the object is refreshed")
  func fetchedPropertyIsFetchedOnce() throws {
    try context.performAndWait {
      let ann = reader("Ann")
      let first = book("Ann", 1)
      try context.save()
      #expect(pages(ann) == [1])
      _ = book("Ann", 2)
      try context.save()
      #expect(pages(ann) == [1])
      context.refresh(ann, mergeChanges: true)
      #expect(pages(ann) == [1, 2])
      first.setValue("Bob", forKey: "owner")
      #expect(pages(ann) == [1, 2])
      context.refresh(ann, mergeChanges: false)
      #expect(pages(ann) == [2])
    }
  }

  @Test("[request-fetched-2] a fetched property is fetched again after its user info changed")
  func changedUserInfo() throws {
    try context.performAndWait {
      let ann = reader("Ann")
      _ = [book("Ann", 1, "novel"), book("Ann", 2, "comic")]
      try context.save()
      #expect(pages(ann, "novels") == [1])
      let novels = try #require(ann.entity.propertiesByName["novels"])
      novels.userInfo?["kind"] = "comic"
      #expect(pages(ann, "novels") == [2])
      _ = book("Ann", 3, "comic")
      try context.save()
      #expect(pages(ann, "novels") == [2])
    }
  }

  @Test("[request-fetched-1] a fetched property can be described in code and is copied with the model")
  func fetchedPropertyCanBeDescribedInCode() throws {
    let property = NSFetchedPropertyDescription()
    #expect(property.fetchRequest == nil)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    property.fetchRequest = request
    #expect(property.fetchRequest === request)
    let before = property.versionHash
    request.predicate = NSPredicate(format: "pages > 1")
    #expect(property.versionHash != before)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let books = copy.entitiesByName["Reader"]?.propertiesByName["books"] as? NSFetchedPropertyDescription
    #expect(books?.fetchRequest?.entity === copy.entitiesByName["Book"])
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
  }
}
