import CoreData

final class Meter: NSObject {
  @objc dynamic var level = 1
  @objc(isFull) var full = false
  @objc static func reset() -> NSString { "reset" }
  @objc class func unit() -> NSString { "litre" }

  var ofType: Selector { #selector(type(of: self).unit) }
  var read: Selector { #selector(getter: level) }
  var readOther: Selector { #selector(getter: Meter.full) }
  var write: Selector { #selector(setter: Meter.full) }
}

final class Box<Content>: NSObject {
  private(set) var opened = 0

  @objc func open() { opened += 1 }

  var opening: Selector { #selector(Box<Content>.open) }
}

func formats(_ id: UUID, _ link: URL, _ bytes: Data, _ object: NSObject) -> [NSPredicate] {
  [
    NSPredicate(format: "id == %@", id as CVarArg), NSPredicate(format: "link == %@", link as CVarArg),
    NSPredicate(format: "bytes == %@", bytes as CVarArg), NSPredicate(format: "id IN %@", [id] as CVarArg),
    NSPredicate(format: "id IN %@", Set([id]) as CVarArg), NSPredicate(format: "self == %@", object as CVarArg),
  ]
}

func text(_ id: UUID) -> String { String(format: "%@ %@ %ld", id as CVarArg, [1] as CVarArg, 3) }
