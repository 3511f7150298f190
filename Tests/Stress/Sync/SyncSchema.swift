import CoreData

/// The model of ``SyncRun``: posts with attachments, tags and a cover. The attribute `key` identifies an object on
/// every device. No text occurs twice, so that a text in any file identifies its object.
enum SyncSchema {
  static let root = "Post"
  /// By entity, the relationship to the object that a new object is created for.
  static let anchors = ["Attachment": "post", "Cover": "post", "Tag": "posts"]
  /// The edited attributes. One is encrypted in the cloud, and one is stored in files of its own.
  static let texts = ["text", "memo", "photo"]

  /// One model for the whole process, as in an app.
  static let model = makeModel()

  private static func makeModel() -> NSManagedObjectModel {
    var entities: [String: NSEntityDescription] = [:]
    for name in ["Post", "Attachment", "Cover", "Tag"] {
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = [attribute("key", .string), attribute("text", .string), attribute("memo", .string)]
      entity.attributesByName["memo"]?.allowsCloudEncryption = true
      let photo = attribute("photo", .binaryData)
      photo.allowsExternalBinaryDataStorage = true
      entity.properties.append(photo)
      entities[name] = entity
    }
    func pair(
      _ owner: String, _ name: String, _ rule: NSDeleteRule, isToMany: Bool, _ member: String, _ inverse: String,
      isInverseToMany: Bool
    ) {
      let (one, other) = (NSRelationshipDescription(), NSRelationshipDescription())
      (one.name, other.name) = (name, inverse)
      (one.destinationEntity, other.destinationEntity) = (entities[member], entities[owner])
      (one.maxCount, other.maxCount) = (isToMany ? 0 : 1, isInverseToMany ? 0 : 1)
      (one.deleteRule, other.deleteRule) = (rule, .nullifyDeleteRule)
      (one.inverseRelationship, other.inverseRelationship) = (other, one)
      entities[owner]?.properties.append(one)
      entities[member]?.properties.append(other)
    }
    pair("Post", "attachments", .cascadeDeleteRule, isToMany: true, "Attachment", "post", isInverseToMany: false)
    pair("Post", "cover", .cascadeDeleteRule, isToMany: false, "Cover", "post", isInverseToMany: false)
    pair("Post", "tags", .nullifyDeleteRule, isToMany: true, "Tag", "posts", isInverseToMany: true)
    let model = NSManagedObjectModel()
    model.entities = entities.values.sorted { $0.name ?? "" < $1.name ?? "" }
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription
  {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
    return attribute
  }
}
