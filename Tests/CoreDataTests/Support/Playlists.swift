import CoreData
import FaultInjection
import Foundation

/// A model with ordered relationships: lists with songs, and labels related many-to-many with songs, ordered on both
/// sides.
enum PlaylistModel {
  static let shared: NSManagedObjectModel = make()

  static func make(_ change: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let (list, song, label) = (
      entity("Playlist", Playlist.self), entity("Song", Song.self), entity("Label", Label.self)
    )
    let songs = BlogModel.relationship("songs", to: song, isToMany: true, .cascadeDeleteRule)
    songs.isOrdered = true
    let playlist = BlogModel.relationship("playlist", to: list, isToMany: false, .nullifyDeleteRule)
    BlogModel.pair(songs, playlist)
    let labels = BlogModel.relationship("labels", to: label, isToMany: true, .nullifyDeleteRule)
    labels.isOrdered = true
    let labelled = BlogModel.relationship("songs", to: song, isToMany: true, .nullifyDeleteRule)
    labelled.isOrdered = true
    BlogModel.pair(labels, labelled)
    list.properties = [BlogModel.attribute("name", .string), songs]
    song.properties = [
      BlogModel.attribute("title", .string), BlogModel.attribute("seconds", .integer32, default: 0), playlist, labels,
    ]
    label.properties = [BlogModel.attribute("name", .string), labelled]
    model.entities = [list, song, label]
    change(["Playlist": list, "Song": song, "Label": label])
    return model
  }

  private static func entity(_ name: String, _ type: AnyClass) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }
}

/// A container of a ``PlaylistModel`` with one store in its own folder.
final class Playlists: @unchecked Sendable {
  let folder: TemporaryFolder
  let container: NSPersistentContainer

  init(_ folder: TemporaryFolder? = nil, model: NSManagedObjectModel = PlaylistModel.shared) throws {
    self.folder = try folder ?? TemporaryFolder()
    container = NSPersistentContainer(name: "Playlists", managedObjectModel: model)
    let url = URL(fileURLWithPath: self.folder.path).appendingPathComponent("playlists.sqlite")
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  func context() -> NSManagedObjectContext { container.newBackgroundContext() }
}

final class Playlist: NSManagedObject {
  var name: String? {
    get { self[_managed: "name"] }
    set { self[_managed: "name"] = newValue }
  }
  var songs: NSOrderedSet? {
    get { self[_managed: "songs"] }
    set { self[_managed: "songs"] = newValue }
  }

  func insertIntoSongs(_ value: Song, at idx: Int) { _insertObject(value, into: "songs", at: idx) }
  func removeFromSongs(at idx: Int) { _removeObject(from: "songs", at: idx) }
  func insertIntoSongs(_ values: [Song], at indexes: NSIndexSet) { _insertObjects(values, into: "songs", at: indexes) }
  func removeFromSongs(at indexes: NSIndexSet) { _removeObjects(from: "songs", at: indexes) }
  func replaceSongs(at idx: Int, with value: Song) { _replaceObject(in: "songs", at: idx, with: value) }
  func replaceSongs(at indexes: NSIndexSet, with values: [Song]) {
    _replaceObjects(in: "songs", at: indexes, with: values)
  }
  func addToSongs(_ value: Song) { _addObject(value, to: "songs") }
  func removeFromSongs(_ value: Song) { _removeObject(value, from: "songs") }
  func addToSongs(_ values: NSOrderedSet) { _addOrderedObjects(values, to: "songs") }
  func removeFromSongs(_ values: NSOrderedSet) { _removeOrderedObjects(values, from: "songs") }

  /// The titles in order, as one string.
  var titles: String { (songs?.array as? [Song])?.map { $0.title ?? "?" }.joined() ?? "" }

  class func all() -> NSFetchRequest<Playlist> { NSFetchRequest<Playlist>(entityName: "Playlist") }
}

final class Song: NSManagedObject {
  var title: String? {
    get { self[_managed: "title"] }
    set { self[_managed: "title"] = newValue }
  }
  var seconds: Int32 {
    get { self[_managed: "seconds"] }
    set { self[_managed: "seconds"] = newValue }
  }
  var playlist: Playlist? {
    get { self[_managed: "playlist"] }
    set { self[_managed: "playlist"] = newValue }
  }
  var labels: NSOrderedSet? {
    get { self[_managed: "labels"] }
    set { self[_managed: "labels"] = newValue }
  }

  func addToLabels(_ value: Label) { _addObject(value, to: "labels") }

  class func all() -> NSFetchRequest<Song> { NSFetchRequest<Song>(entityName: "Song") }

  static func titled(_ title: String, in context: NSManagedObjectContext) throws -> Song {
    let request = all()
    request.predicate = NSPredicate(format: "title == %@", title)
    return try context.fetch(request)[0]
  }
}

final class Label: NSManagedObject {
  var name: String? {
    get { self[_managed: "name"] }
    set { self[_managed: "name"] = newValue }
  }
  var songs: NSOrderedSet? {
    get { self[_managed: "songs"] }
    set { self[_managed: "songs"] = newValue }
  }

  var titles: String { (songs?.array as? [Song])?.map { $0.title ?? "?" }.joined() ?? "" }

  class func all() -> NSFetchRequest<Label> { NSFetchRequest<Label>(entityName: "Label") }
}

extension NSManagedObjectContext {
  func song(_ title: String) -> Song {
    let song = Song(context: self)
    song.title = title
    return song
  }

  /// Inserts a list with one song for each letter, in this order.
  func playlist(_ titles: String) -> Playlist {
    let list = Playlist(context: self)
    list.name = titles
    for title in titles { list.addToSongs(song(String(title))) }
    return list
  }
}
