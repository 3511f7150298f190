import FaultInjection
import LocalCloudCoreDataModel
import LocalCloudPlatform

/// A model with every construct that code is generated for.
enum SampleModel {
  static let types = [
    "Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Boolean", "Date", "Decimal", "String", "Binary",
    "UUID",
    "URI", "Transformable", "Undefined",
  ]

  /// The entity `Values` has two attributes of each type, one with a scalar type and one with an object type.
  private static var values: String {
    let attributes = types.flatMap { type in
      ["scalar", "object"].map { kind in
        "  <attribute name=\"\(kind)\(type.filter { $0 != " " })\" optional=\"YES\" attributeType=\"\(type)\" "
          + (type == "Undefined" ? "transient=\"YES\" " : "")
          + "usesScalarValueType=\"\(kind == "scalar" ? "YES" : "NO")\"/>"
      }
    }
    return """
      <entity name="Values" representedClassName="Values" codeGenerationType="class">
      \(attributes.joined(separator: "\n"))
        <attribute name="custom" optional="YES" attributeType="Transformable" customClassName="NSArray"/>
        <attribute name="list" optional="YES" attributeType="Transformable" customClassName="[String: [Int]]"/>
        <attribute name="nested" optional="YES" attributeType="Transformable" customClassName="Shapes.Circle"/>
        <attribute name="default" attributeType="String" defaultValueString="&quot;###&quot;&quot;&quot;##\\(x)"/>
      </entity>
      """
  }

  static let elements = """
    <entity name="Work" representedClassName=".Work" isAbstract="YES" codeGenerationType="class">
      <attribute name="title" attributeType="String"/>
      <attribute name="id" optional="YES" attributeType="UUID"/>
    </entity>
    <entity name="Song" representedClassName="Song" parentEntity="Work" codeGenerationType="class">
      <attribute name="seconds" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
      <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="songs"
        inverseEntity="Album"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="songs" inverseEntity="Tag"/>
      <fetchedProperty name="similar"><fetchRequest name="f" entity="Song" predicateString="TRUEPREDICATE"/></fetchedProperty>
    </entity>
    <entity name="Album" representedClassName="App.Album" parentEntity="Work" codeGenerationType="category">
      <relationship name="songs" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Song"
        inverseName="album" inverseEntity="Song"/>
    </entity>
    <entity name="Tag" representedClassName="NSManagedObject">
      <attribute name="name" attributeType="String"/>
      <relationship name="songs" optional="YES" toMany="YES" destinationEntity="Song" inverseName="tags" inverseEntity="Song"/>
      <relationship name="label" optional="YES" destinationEntity="Label" inverseName="tag" inverseEntity="Label"/>
    </entity>
    <entity name="Label" representedClassName="Label">
      <relationship name="tag" optional="YES" destinationEntity="Tag" inverseName="label" inverseEntity="Tag"/>
    </entity>
    <entity name="Sticker" representedClassName="Sticker" parentEntity="Label" codeGenerationType="class">
      <relationship name="label" optional="YES" destinationEntity="Label"/>
    </entity>
    \(values)
    """

  static var model: String { ModelText.file(elements) }

  /// The code that the app itself declares.
  static let app = """
    import CoreData
    import Foundation

    nonisolated public class Album: Work {}
    nonisolated public class Label: NSManagedObject {}
    public enum Shapes { public class Circle: NSObject {} }

    nonisolated func use(_ context: NSManagedObjectContext, _ album: Album, _ tag: NSManagedObject) -> Int {
      let song = Song(context: context)
      song.title = "a"
      song.seconds += 1
      song.album = album
      song.addToTags(tag)
      song.removeFromTags([tag] as Set<NSManagedObject> as NSSet)
      album.insertIntoSongs([song], at: NSIndexSet(index: 0))
      album.replaceSongs(at: 0, with: song)
      let request: NSFetchRequest<Song> = Song.fetchRequest()
      _ = request
      _ = album.id
      let values = Values(context: context)
      values.objectDate = Date()
      values.`default` = values.default
      return values.list?["a"]?.count ?? 0
    }
    """

  /// The generated sources of the model for a module `App`.
  static func sources(_ contents: String = model, module: String = "App") throws -> [GeneratedFile] {
    let folder = try ModelFolder("Sample.xcdatamodeld", ["Sample": contents])
    return try GeneratedFile.all(for: try ModelPackage(path: folder.path), module: module)
  }
}
