#if !canImport(ObjectiveC)
  import LocalCloudCloudKitImport
  import Foundation

  /// Reads objects from untrusted archives.
  ///
  /// On Linux, `NSKeyedUnarchiver` stops the process over an object of a class that is not allowed. Therefore the names
  /// of the classes in an archive are checked first, and the archive is then read without class checks.
  enum ObjectArchive {
    /// The classes of plain values. Archives may contain them anywhere.
    static let plainClasses: [AnyClass] = [
      NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]

    /// Classes by their names in archives of earlier versions.
    private static let formerNames: [String: AnyClass] = ["CoreLocation.CLLocation": CLLocation.self]

    /// The object of an archive; nil if it is not of an allowed class or a subclass.
    static func object(in data: Data, of classes: [AnyClass]) -> Any? {
      guard isReadable(data, classes), let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      for former in formerNames { unarchiver.setClass(former.value, forClassName: former.key) }
      defer { unarchiver.finishDecoding() }
      guard let found = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey), unarchiver.error == nil else {
        return nil
      }
      let type: AnyClass = Swift.type(of: found as AnyObject)
      return isClass(type, below: classes) || isPlain(found, of: classes) ? found : nil
    }

    /// Whether every class in the archive is plain, allowed, or (if an allowed class may have parts of any class)
    /// secure.
    private static func isReadable(_ data: Data, _ classes: [AnyClass]) -> Bool {
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
      guard let objects = (list as? [String: Any])?["$objects"] as? [Any] else { return false }
      let mayHaveParts = classes.contains { !isClass($0, below: plainClasses) }
      for object in objects {
        guard let name = (object as? [AnyHashable: Any])?["$classname"] as? String else { continue }
        guard let type: AnyClass = formerNames[name] ?? NSClassFromString(name) else { return false }
        guard isClass(type, below: classes + plainClasses) || (mayHaveParts && type is any NSSecureCoding.Type) else {
          return false
        }
      }
      return true
    }

    private static func isClass(_ type: AnyClass, below classes: [AnyClass]) -> Bool {
      sequence(first: type, next: { _getSuperclass($0) }).contains { type in classes.contains { $0 == type } }
    }

    /// The decoder returns plain values as Swift types, without a class.
    private static func isPlain(_ value: Any, of classes: [AnyClass]) -> Bool {
      let type: AnyClass? =
        switch value {
        case is String: NSString.self
        case is NSNumber: NSNumber.self
        case is Date: NSDate.self
        case is Data: NSData.self
        case is URL: NSURL.self
        case is UUID: NSUUID.self
        case is [Any]: NSArray.self
        case is [AnyHashable: Any]: NSDictionary.self
        case is Set<AnyHashable>: NSSet.self
        default: nil
        }
      return type.map { isClass($0, below: classes) } ?? false
    }
  }
#endif
