import CoreData
import Foundation
import Testing

@Suite("Mutable collections of related objects")
struct MutableMembersTests {
  private let blog: Blog
  private let lists: Playlists

  init() throws {
    blog = try Blog()
    lists = try Playlists()
  }

  @Test("[object-proxy-1] a mutable set and its relationship reflect each other's changes")
  func mutableSetAndItsRelationshipReflect() throws {
    let context = blog.context()
    try context.performAndWait {
      let post = Post(context: context)
      let (red, blue, green) = (Tag(context: context), Tag(context: context), Tag(context: context))
      for tag in [red, blue, green] { tag.name = "tag" }
      try context.save()
      let tags = post.mutableSetValue(forKey: "tags")
      tags.add(red)
      #expect(red.posts == [post])
      #expect(post.isUpdated)
      #expect(red.isUpdated)
      #expect(tags.count == 1)
      #expect(tags.contains(red))
      tags.addObjects(from: [blue, red])
      post.addToTags(green)
      #expect(tags.count == 3)
      #expect(Set(tags.allObjects as? [Tag] ?? []) == [red, blue, green])
      #expect(tags.isEqual(post.mutableSetValue(forKey: "tags")))
      #expect(tags.isEqual(NSSet(array: [green, blue, red])))
      #expect(!tags.description.isEmpty)
      #expect(tags.anyObject() is Tag)
      tags.remove(red)
      #expect(post.tags as? Set<Tag> == [blue, green])
      #expect(red.posts == [])
      tags.minus([blue])
      tags.union([red])
      tags.intersect([red])
      #expect(tags.map { $0 as? Tag } == [red])
      try context.save()
      context.refresh(post, mergeChanges: false)
      #expect(tags.count == 1)
      #expect(!post.isFault)
      tags.setSet([blue, green])
      let copy = tags.copy() as? NSSet
      let mutable = tags.mutableCopy() as? NSMutableSet
      tags.removeAllObjects()
      #expect(copy as? Set<Tag> == [blue, green])
      #expect(mutable as? Set<Tag> == [blue, green])
      #expect(tags.count == 0)
      #expect(blue.posts == [])
      context.rollback()
      #expect(tags.allObjects as? [Tag] == [red])
    }
    let other = blog.context()
    try other.performAndWait {
      let post = try #require(try other.fetch(Post.all()).first)
      #expect(post.tags?.count == 1)
    }
  }

  @Test("[object-proxy-1] a mutable set by a key path posts changes of both sides")
  func keyPath() throws {
    let context = blog.context()
    context.performAndWait {
      let post = Post(context: context)
      post.author = Person(context: context)
      let own = post.mutableSetValue(forKeyPath: "author.written")
      #expect(own.allObjects as? [Post] == [post])
      context.processPendingChanges()
      nonisolated(unsafe) var updated: Set<NSManagedObject> = []
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { updated.formUnion($0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []) }
      own.remove(post)
      context.processPendingChanges()
      NotificationCenter.default.removeObserver(observer)
      #expect(post.author == nil)
      #expect(updated.count == 2)
    }
  }

  @Test("[object-proxy-2] every mutation of a mutable ordered set changes the relationship")
  func everyMutationOfAMutableOrderedSet() throws {
    let context = lists.context()
    try context.performAndWait {
      let list = context.playlist("abc")
      try context.save()
      let songs = list.mutableOrderedSetValue(forKey: "songs")
      #expect(list.mutableOrderedSetValue(forKey: "songs") === songs)
      func titles() -> String { songs.map { ($0 as? Song)?.title ?? "?" }.joined() }
      let (x, y, z) = (context.song("x"), context.song("y"), context.song("z"))
      songs.add(x)
      songs.insert(y, at: 0)
      #expect(list.titles == "yabcx")
      #expect(titles() == "yabcx")
      #expect(x.playlist === list)
      z.playlist = list
      #expect(titles() == "yabcxz")
      #expect(songs.count == 6)
      #expect(songs.lastObject as? Song === z)
      #expect(songs.contains(z))
      songs.moveObjects(at: [0, 1], to: 3)
      #expect(list.titles == "bcxyaz")
      #expect(titles() == "bcxyaz")
      #expect(songs.index(of: y) == 3)
      songs.exchangeObject(at: 0, withObjectAt: 5)
      #expect(titles() == "zcxyab")
      songs.sort(using: [NSSortDescriptor(key: "title", ascending: true)])
      #expect(titles() == "abcxyz")
      #expect(list.titles == "abcxyz")
      songs.sort(comparator: { left, right in
        ((left as? Song)?.title ?? "") < ((right as? Song)?.title ?? "") ? .orderedDescending : .orderedAscending
      })
      #expect(list.titles == "zyxcba")
      songs.removeObject(at: 0)
      songs.remove(y)
      songs.removeObjects(at: [0, 1])
      #expect(list.titles == "ba")
      #expect(titles() == "ba")
      #expect(y.playlist == nil)
      #expect(songs[1] as? Song === list.songs?[1] as? Song)
      songs.replaceObject(at: 0, with: z)
      songs[1] = y
      songs.setObject(x, at: 2)
      #expect(list.titles == "zyx")
      #expect(titles() == "zyx")
      songs.union(NSOrderedSet(array: [x, context.song("n")]))
      songs.minus(NSOrderedSet(array: [z]))
      songs.intersect(NSOrderedSet(array: [x, y]))
      #expect(list.titles == "yx")
      #expect(songs.array as? [Song] == [y, x])
      #expect(songs.set == [x, y])
      songs.insert([z, context.song("p")], at: [1, 3])
      #expect(titles() == "yzxp")
      songs.removeObjects(in: NSRange(1..<3))
      #expect((songs.copy() as? NSOrderedSet)?.array as? [Song] == list.songs?.array as? [Song])
      #expect(titles() == "yp")
      try context.save()
      context.refresh(list, mergeChanges: false)
      #expect(songs.count == 2)
      #expect(titles() == "yp")
      songs.removeAllObjects()
      #expect(list.titles == "")
      #expect(songs.count == 0)
      context.rollback()
      #expect(songs.count == 2)
      #expect(titles() == "yp")
    }
  }

  @Test("[object-proxy-3] a mutable collection of the wrong kind for its property stops the process")
  func mutableCollectionOfTheWrongKind() async {
    await #expect(processExitsWith: .failure) {
      let lists = try Playlists()
      let context = lists.context()
      _ = context.playlist("a").mutableSetValue(forKey: "songs")
    }
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let context = blog.context()
      _ = Post(context: context).mutableOrderedSetValue(forKey: "tags")
    }
    await #expect(processExitsWith: .failure) {
      let lists = try Playlists()
      let context = lists.context()
      _ = context.playlist("a").mutableArrayValue(forKey: "songs")
    }
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let context = blog.context()
      Post(context: context).mutableSetValue(forKey: "tags").add("red")
    }
  }
}
