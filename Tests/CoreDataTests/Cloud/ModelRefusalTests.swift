import FaultInjection
import Foundation
import LocalCloud
import LocalCloudCoreDataMirroring
import TestSupport
import Testing

@testable import CoreData

/// One faulty model for each rule of the mirroring, loaded in the same way as in an app.
@Suite("Models that can't be mirrored")
struct ModelRefusalTests {
  enum Fault: String, CaseIterable, Sendable {
    case required, inverse, requiredRelationship, constraint, deny, ordered, undefined, objectID, composite,
      configuration
    case letters, length, reservedAttribute, reservedRelationship, asset, siblings

    /// A valid model of posts with a tag each, except for the fault.
    var model: NSManagedObjectModel {
      let (post, tag, photo, video) = (
        NSEntityDescription(), NSEntityDescription(), NSEntityDescription(), NSEntityDescription()
      )
      (post.name, tag.name, photo.name, video.name) = ("Post", "Tag", "Photo", "Video")
      let title = BlogModel.attribute("title", .string)
      let toTag = BlogModel.relationship("tag", to: tag, isToMany: false, .nullifyDeleteRule)
      let posts = BlogModel.relationship("posts", to: post, isToMany: true, .nullifyDeleteRule)
      BlogModel.pair(toTag, posts)
      var properties: [NSPropertyDescription] = [title, toTag]
      switch self {
      case .required: title.isOptional = false
      case .inverse: (toTag.inverseRelationship, posts.inverseRelationship) = (nil, nil)
      case .requiredRelationship: toTag.isOptional = false
      case .constraint: post.uniquenessConstraints = [["title"]]
      case .deny: posts.deleteRule = .denyDeleteRule
      case .ordered: posts.isOrdered = true
      case .undefined: properties.append(BlogModel.attribute("any", .undefined))
      case .objectID: properties.append(BlogModel.attribute("link", .objectID))
      case .composite:
        let composite = NSCompositeAttributeDescription()
        (composite.name, composite.isOptional) = ("place", true)
        composite.elements = [BlogModel.attribute("latitude", .double)]
        properties.append(composite)
      case .configuration: break
      case .letters: properties.append(BlogModel.attribute("größe", .double))
      case .length: properties.append(BlogModel.attribute(String(repeating: "n", count: 245), .string))
      case .reservedAttribute: properties.append(BlogModel.attribute("entityName", .string))
      case .reservedRelationship: toTag.name = "moveReceipt"
      case .asset: properties.append(BlogModel.attribute("title_ckAsset", .string))
      case .siblings:
        photo.properties = [BlogModel.attribute("size", .double)]
        video.properties = [BlogModel.attribute("size", .string)]
        post.subentities = [photo, video]
      }
      post.properties = properties
      tag.properties = [posts]
      let model = NSManagedObjectModel()
      model.entities = [post, tag] + (self == .siblings ? [photo, video] : [])
      model.setEntities([post] + (self == .siblings ? [photo, video] : []), forConfigurationName: "Posts")
      return model
    }

    var reason: String {
      let rule = "CloudKit integration "
      return switch self {
      case .required:
        rule + "requires that all attributes be optional, or have a default value set. The following attributes are "
          + "marked non-optional but do not have a default value:\nPost: title"
      case .inverse:
        rule + "requires that all relationships have an inverse, the following do not:\nPost: tag\nTag: posts"
      case .requiredRelationship:
        rule + "requires that all relationships be optional, the following are not:\nPost: tag"
      case .constraint:
        rule + "does not support unique constraints. The following entities are constrained:\nPost: title"
      case .deny: "The following relationships are configured with unsupported delete rules:\nTag:posts - Deny"
      case .ordered:
        rule + "does not support ordered relationships. The following relationships are marked ordered:\nTag: posts"
      case .undefined, .objectID, .composite:
        rule + "does not support attributes without a type of their own. The following are undefined, object IDs or "
          + "composite:\nPost: \(self == .undefined ? "any" : self == .objectID ? "link" : "place")"
      case .configuration:
        rule + "requires that relationships stay within a configuration, the following do not:\nPost: tag"
      case .letters, .length:
        rule + "requires names of at most 255 letters from A to Z, digits and underscores. The following can't be the "
          + "names of record types and fields:\nPost: "
          + (self == .letters ? "größe" : String(repeating: "n", count: 245))
      case .reservedAttribute, .reservedRelationship:
        rule + "has fields of its own with the names of the following properties:\nPost: "
          + (self == .reservedAttribute ? "entityName" : "moveReceipt")
      case .asset, .siblings:
        rule + "requires that what is in one field is of one kind, the following properties have the same field:\n"
          + (self == .asset ? "Post: title\nPost: title_ckAsset" : "Photo: size\nVideo: size")
      }
    }
  }

  private let cloud: TemporaryCloud
  private let folder: TemporaryFolder

  init() throws { (cloud, folder) = (try TemporaryCloud(), try TemporaryFolder()) }

  private func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: cloud.path).sorted() }

  @Test(
    "[mirror-17] [mirror-25] [note-2] the error of a faulty model names every fault; other stores load",
    arguments: Fault.allCases)
  func errorOfAFaultyModelNames(_ fault: Fault) throws {
    let before = try files()
    let container = try LocalCloud.acting(
      as: "alice", device: "phone", root: cloud.path, container: TemporaryCloud.container
    ) { NSPersistentCloudKitContainer(name: "Faulty", managedObjectModel: fault.model) }
    let mirrored = container.persistentStoreDescriptions[0]
    mirrored.url = URL(fileURLWithPath: folder.path + "/mirrored.sqlite")
    if fault == .configuration { mirrored.configuration = "Posts" }
    // A store without mirroring also refuses attributes of these types.
    let local = NSPersistentStoreDescription(url: URL(fileURLWithPath: folder.path + "/local.sqlite"))
    let isStored = ![Fault.undefined, .objectID, .composite].contains(fault)
    container.persistentStoreDescriptions = isStored ? [mirrored, local] : [mirrored]
    var errors: [String?: NSError] = [:]
    var loaded: [String?] = []
    container.loadPersistentStores { description, error in
      loaded.append(description.url?.lastPathComponent)
      errors[description.url?.lastPathComponent] = error as NSError?
    }
    let error = try #require(errors["mirrored.sqlite"])
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134_060)
    #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == fault.reason)
    #expect(error.localizedDescription == "A Core Data error occurred.")
    #expect(errors.count == 1)
    #expect(loaded == (isStored ? ["mirrored.sqlite", "local.sqlite"] : ["mirrored.sqlite"]))
    #expect(
      container.persistentStoreCoordinator.persistentStores.map(\.url) == (isStored ? [local.url] : []))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/mirrored.sqlite"))
    #expect(throws: (any Error).self) { try container.initializeCloudKitSchema(options: [.dryRun]) }
    // The load sent no request to the cloud.
    #expect(try files() == before)
  }

  @Test("[mirror-17] valid models that resemble faulty ones are accepted")
  func validModelsThatResembleFaultyOnes() throws {
    let (post, photo, video) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (post.name, photo.name, video.name) = ("Post", "Fotografía", "Video")
    // "No Action", a required transient attribute, a derived attribute, and names that become no fields.
    let next = BlogModel.relationship("nächste", to: post, isToMany: true, .noActionDeleteRule)
    let previous = BlogModel.relationship("vorige", to: post, isToMany: true, .noActionDeleteRule)
    BlogModel.pair(next, previous)
    let transient = BlogModel.attribute("größe", .double, isOptional: false)
    transient.isTransient = true
    post.properties = [BlogModel.attribute("title", .string), transient, next, previous]
    // Sibling entities share a field of one type.
    photo.properties = [BlogModel.attribute("size", .integer16)]
    video.properties = [BlogModel.attribute("size", .integer64)]
    post.subentities = [photo, video]
    let model = NSManagedObjectModel()
    model.entities = [post, photo, video]
    #expect(MirroringModelRules.failureReason(model, configuration: nil) == nil)
  }

  @Test("the syncing flags of a model file have no effect at run time [mirror-17]")
  func syncingFlagsOfAModelFile() throws {
    func model(_ text: String) throws -> NSManagedObjectModel {
      try ModelTexts.model(text.replacingOccurrences(of: "|", with: "syncable=\"NO\""))
    }
    let text = """
      <entity name="Post" |><attribute name="title" optional="YES" attributeType="String" |/></entity>
      <configuration name="Cloud" usedWithCloudKit="NO"><memberEntity name="Post"/></configuration>
      """
    let unsyncable = try model(text)
    #expect(MirroringModelRules.failureReason(unsyncable, configuration: "Cloud") == nil)
    let container = try LocalCloud.acting(
      as: "alice", device: "phone", root: cloud.path, container: TemporaryCloud.container
    ) { NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: unsyncable) }
    let description = container.persistentStoreDescriptions[0]
    (description.url, description.configuration) = (URL(fileURLWithPath: folder.path + "/posts.sqlite"), "Cloud")
    container.loadPersistentStores { #expect($1 == nil) }
    #expect(container.engines.count == 1)
    try container.initializeCloudKitSchema()
    let schema = "\(cloud.path)/containers/\(TemporaryCloud.container)/development/schema.ckdb"
    #expect(try String(contentsOfFile: schema, encoding: .utf8).contains("CD_title "))
    let faulty = try model(
      "<entity name=\"Post\" |><attribute name=\"title\" optional=\"NO\" attributeType=\"String\" |/></entity>")
    #expect(MirroringModelRules.failureReason(faulty, configuration: nil)?.hasSuffix("Post: title") == true)
  }

  @Test("[mirror-17] a store in memory can't be mirrored")
  func inMemory() throws {
    let container = try LocalCloud.acting(
      as: "alice", device: "phone", root: cloud.path, container: TemporaryCloud.container
    ) { NSPersistentCloudKitContainer(name: "Memory", managedObjectModel: CloudBlogModel.shared) }
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    var failure: NSError?
    container.loadPersistentStores { failure = $1 as NSError? }
    #expect(failure?.code == 134_060)
    #expect(failure?.localizedFailureReason == "CloudKit integration is only supported for SQLite stores")
    #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
  }
}
