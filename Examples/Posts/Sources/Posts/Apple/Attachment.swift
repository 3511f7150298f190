import CoreData

/// A file of a post. Its bytes are in an object of their own, so that listing posts does not read them.
@objc(Attachment)
public class Attachment: NSManagedObject {
  @NSManaged public var name: String?
  @NSManaged public var uuid: UUID?
  @NSManaged public var imageData: ImageData?
  @NSManaged public var post: Post?

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid = UUID()
  }
}
