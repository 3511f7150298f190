import CoreData
import FaultInjection
import Foundation
import Testing

/// Compares ordered relationships with plain arrays of titles, the expected behaviour. [object-ordered-1]
@Suite("Ordered relationships compared with arrays")
struct OrderedRandomTests {
  private struct Model {
    /// The songs of each list, by their titles.
    var lists: [[String]]
    /// The songs that are in no list.
    var loose: [String] = []
  }

  @Test(
    "random changes, saves, refreshes and rollbacks give the same order as arrays",
    arguments: [1, 2, 3] as [UInt64], [false, true])
  func randomChangesSavesRefreshesAndRollbacksGive(own: UInt64, withChild: Bool) throws {
    let playlists = try Playlists()
    let root = playlists.context()
    let context = withChild ? NSManagedObjectContext(.privateQueue) : root
    if withChild { context.parent = root }
    var random = SeededGenerator(seed: TestSeed.value(own))
    var model = Model(lists: [[], [], []])
    var saved = model
    var lists: [Playlist] = []
    let save = {
      try context.save()
      if withChild { try root.performAndWait { try root.save() } }
    }
    try context.performAndWait {
      for name in ["0", "1", "2"] {
        let list = Playlist(context: context)
        list.name = name
        lists.append(list)
      }
      try save()
      for step in 0..<150 {
        try change(step, context, lists, &model, &random)
        for (list, songs) in zip(lists, model.lists) where Int.random(in: 0..<3, using: &random) == 0 {
          #expect(list.titles == songs.joined(), "step \(step)")
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
          try save()
          saved = model
          try compare(playlists, model, "step \(step)")
        case 2:
          context.rollback()
          model = saved
        case 3: context.refresh(lists[0], mergeChanges: true)
        case 4 where !context.hasChanges: context.refresh(lists[1], mergeChanges: false)
        default: break
        }
      }
      try save()
      #expect(lists.map(\.titles) == model.lists.map { $0.joined() })
      try compare(playlists, model, "at the end")
    }
  }

  private func compare(_ playlists: Playlists, _ model: Model, _ text: String) throws {
    let other = playlists.context()
    try other.performAndWait {
      let request = Playlist.all()
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let stored = try other.fetch(request).map(\.titles)
      #expect(stored == model.lists.map { $0.joined() }, "\(text)")
    }
  }

  private func change(
    _ step: Int, _ context: NSManagedObjectContext, _ lists: [Playlist], _ model: inout Model,
    _ random: inout SeededGenerator
  ) throws {
    let listIndex = Int.random(in: 0..<lists.count, using: &random)
    let list = lists[listIndex]
    let count = model.lists[listIndex].count
    func song(_ title: String) throws -> Song { try Song.titled(title, in: context) }
    func new() -> Song { context.song("<\(step)>") }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      let song = new()
      if Bool.random(using: &random) { song.playlist = list } else { list.addToSongs(song) }
      model.lists[listIndex].append("<\(step)>")
    case 2:
      let index = Int.random(in: 0...count, using: &random)
      list.insertIntoSongs(new(), at: index)
      model.lists[listIndex].insert("<\(step)>", at: index)
    case 3:
      guard count > 0 else { return }
      let index = Int.random(in: 0..<count, using: &random)
      list.removeFromSongs(at: index)
      model.loose.append(model.lists[listIndex].remove(at: index))
    case 4:
      guard let title = model.loose.popLast() else { return }
      try song(title).playlist = list
      model.lists[listIndex].append(title)
    case 5:
      // Another list takes the song.
      guard let title = model.lists[listIndex].randomElement(using: &random) else { return }
      let target = (listIndex + 1) % lists.count
      try song(title).playlist = lists[target]
      model.lists[listIndex].removeAll { $0 == title }
      model.lists[target].append(title)
    case 6:
      let order = model.lists[listIndex].shuffled(using: &random)
      list.songs = NSOrderedSet(array: try order.map(song))
      model.lists[listIndex] = order
    case 7:
      guard count > 1 else { return }
      let (from, to) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
      list.mutableOrderedSetValue(forKey: "songs").moveObjects(at: [from], to: to)
      model.lists[listIndex].insert(model.lists[listIndex].remove(at: from), at: to)
    default:
      guard let title = model.lists[listIndex].randomElement(using: &random) else { return }
      context.delete(try song(title))
      context.processPendingChanges()
      model.lists[listIndex].removeAll { $0 == title }
    }
  }
}
