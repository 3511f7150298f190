import Foundation

@testable import CoreData

/// The model of most tests: posts with tags, an author, and attachments with previews.
enum BlogModel {
  static let shared: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    let post = entity("Post", Post.self)
    let tag = entity("Tag", Tag.self)
    let attachment = entity("Attachment", Attachment.self)
    let preview = entity("Preview", Preview.self)
    let person = entity("Person", Person.self)
    let writer = entity("Writer", Writer.self)

    let posts = relationship("posts", to: post, isToMany: true, .nullifyDeleteRule)
    let tags = relationship("tags", to: tag, isToMany: true, .nullifyDeleteRule)
    pair(posts, tags)
    let attachments = relationship("attachments", to: attachment, isToMany: true, .cascadeDeleteRule)
    let attachmentPost = relationship("post", to: post, isToMany: false, .nullifyDeleteRule)
    pair(attachments, attachmentPost)
    let previews = relationship("previews", to: preview, isToMany: true, .cascadeDeleteRule)
    let previewAttachment = relationship("attachment", to: attachment, isToMany: false, .nullifyDeleteRule)
    pair(previews, previewAttachment)
    let author = relationship("author", to: person, isToMany: false, .nullifyDeleteRule)
    let written = relationship("written", to: post, isToMany: true, .denyDeleteRule)
    pair(author, written)
    let spouse = relationship("spouse", to: person, isToMany: false, .nullifyDeleteRule)
    spouse.inverseRelationship = spouse

    let title = attribute("title", .string)
    let views = attribute("views", .integer64, default: 0)
    let image = attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    post.properties = [
      title, attribute("content", .string), views, attribute("date", .date), attribute("rating", .double),
      attribute("isDraft", .boolean, default: true), attribute("identifier", .uuid), attribute("link", .uri),
      attribute("price", .decimal), image, transient("note", .string), tags, attachments,
      author,
    ]
    post.indexes = [
      NSFetchIndexDescription(
        name: "byTitle", elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
    ]
    tag.properties = [attribute("name", .string, isOptional: false), posts]
    attachment.properties = [attribute("size", .integer32, default: 0), attachmentPost, previews]
    preview.properties = [previewAttachment]
    person.properties = [attribute("name", .string), attribute("age", .integer16, default: 0), written, spouse]
    writer.properties = [attribute("penName", .string)]
    person.subentities = [writer]
    model.entities = [post, tag, attachment, preview, person, writer]
    return model
  }()

  private static func entity(_ name: String, _ type: AnyClass) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }

  static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType, isOptional: Bool = true, default value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = isOptional
    attribute.defaultValue = value
    return attribute
  }

  static func derived(
    _ name: String, _ type: NSAttributeDescription.AttributeType, _ text: String, isOptional: Bool = true
  ) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = isOptional
    attribute.derivationText = text
    return attribute
  }

  private static func transient(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription
  {
    let attribute = attribute(name, type)
    attribute.isTransient = true
    return attribute
  }

  static func relationship(
    _ name: String, to destination: NSEntityDescription, isToMany: Bool, _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = isToMany ? 0 : 1
    relationship.deleteRule = rule
    relationship.isOptional = true
    return relationship
  }

  static func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }
}

final class Post: NSManagedObject {
  var title: String? {
    get { self[_managed: "title"] }
    set { self[_managed: "title"] = newValue }
  }
  var content: String? {
    get { self[_managed: "content"] }
    set { self[_managed: "content"] = newValue }
  }
  var views: Int64 {
    get { self[_managed: "views"] }
    set { self[_managed: "views"] = newValue }
  }
  var date: Date? {
    get { self[_managed: "date"] }
    set { self[_managed: "date"] = newValue }
  }
  var rating: Double {
    get { self[_managed: "rating"] }
    set { self[_managed: "rating"] = newValue }
  }
  var isDraft: Bool {
    get { self[_managed: "isDraft"] }
    set { self[_managed: "isDraft"] = newValue }
  }
  var identifier: UUID? {
    get { self[_managed: "identifier"] }
    set { self[_managed: "identifier"] = newValue }
  }
  var link: URL? {
    get { self[_managed: "link"] }
    set { self[_managed: "link"] = newValue }
  }
  var price: NSDecimalNumber? {
    get { self[_managed: "price"] }
    set { self[_managed: "price"] = newValue }
  }
  var image: Data? {
    get { self[_managed: "image"] }
    set { self[_managed: "image"] = newValue }
  }
  var note: String? {
    get { self[_managed: "note"] }
    set { self[_managed: "note"] = newValue }
  }
  var tags: NSSet? {
    get { self[_managed: "tags"] }
    set { self[_managed: "tags"] = newValue }
  }
  var attachments: Set<Attachment> {
    get { self[_managed: "attachments"] }
    set { self[_managed: "attachments"] = newValue }
  }
  var author: Person? {
    get { self[_managed: "author"] }
    set { self[_managed: "author"] = newValue }
  }

  func addToTags(_ tag: Tag) { _addObject(tag, to: "tags") }
  func removeFromTags(_ tag: Tag) { _removeObject(tag, from: "tags") }

  class func all() -> NSFetchRequest<Post> { NSFetchRequest<Post>(entityName: "Post") }

  var calls: [String] = []
  override func awakeFromInsert() {
    super.awakeFromInsert()
    calls.append("awakeFromInsert")
    setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 1), forKey: "date")
  }
  override func awakeFromFetch() { calls.append("awakeFromFetch") }
  override func willSave() { calls.append("willSave") }
  override func validateForInsert() throws {
    try super.validateForInsert()
    calls.append("validate")
  }
  override func didSave() { calls.append("didSave") }
  override func prepareForDeletion() { calls.append("prepareForDeletion") }
}

final class Tag: NSManagedObject {
  var name: String? {
    get { self[_managed: "name"] }
    set { self[_managed: "name"] = newValue }
  }
  var posts: Set<Post>? {
    get { self[_managed: "posts"] }
    set { self[_managed: "posts"] = newValue }
  }

  class func all() -> NSFetchRequest<Tag> { NSFetchRequest<Tag>(entityName: "Tag") }
}

final class Attachment: NSManagedObject {
  var size: Int32 {
    get { self[_managed: "size"] }
    set { self[_managed: "size"] = newValue }
  }
  var post: Post? {
    get { self[_managed: "post"] }
    set { self[_managed: "post"] = newValue }
  }
}

final class Preview: NSManagedObject {
  var attachment: Attachment? {
    get { self[_managed: "attachment"] }
    set { self[_managed: "attachment"] = newValue }
  }
}

class Person: NSManagedObject {
  var name: String? {
    get { self[_managed: "name"] }
    set { self[_managed: "name"] = newValue }
  }
  var age: Int16 {
    get { self[_managed: "age"] }
    set { self[_managed: "age"] = newValue }
  }
  var written: NSSet? {
    get { self[_managed: "written"] }
    set { self[_managed: "written"] = newValue }
  }
  var spouse: Person? {
    get { self[_managed: "spouse"] }
    set { self[_managed: "spouse"] = newValue }
  }

  class func all() -> NSFetchRequest<Person> { NSFetchRequest<Person>(entityName: "Person") }
}

final class Writer: Person {
  var penName: String? {
    get { self[_managed: "penName"] }
    set { self[_managed: "penName"] = newValue }
  }
}
