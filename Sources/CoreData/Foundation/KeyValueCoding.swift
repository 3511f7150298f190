import Foundation
import LocalCloudCloudKitImport
import LocalCloudFoundationPredicates

#if !canImport(ObjectiveC)
  extension NSManagedObject {
    /// The value at the end of a key path. The path may have collection operators, for example `@count` and `@sum`.
    ///
    /// Stops the process for an unknown key; Apple's framework raises an exception.
    @discardableResult
    public final func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }

    /// Sets the value of the last property of a key path, in the object at the preceding path. Does nothing if that is
    /// nil.
    ///
    /// Stops the process if the preceding path leads to something other than one object; Apple's framework raises an
    /// exception.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
      let names = keyPath.split(separator: ".").map(String.init)
      guard let name = names.last else { return setValue(value, forKey: keyPath) }
      let holder = KeyValueCoding.value(of: self, names.dropLast())
      guard let holder = holder as? NSManagedObject else {
        if holder == nil { return }
        raiseException("setValue:forKeyPath: the key path \(keyPath) does not lead to an object of a context")
      }
      holder.setValue(value, forKey: name)
    }
  }

  /// The collections that have values for keys. Foundation has these functions on Apple's systems only.
  public protocol _KeyedMembers: Sequence {}

  extension NSArray: _KeyedMembers {}
  extension NSSet: _KeyedMembers {}
  extension NSOrderedSet: _KeyedMembers {}

  extension _KeyedMembers {
    /// The members' values for a key. An array has `NSNull` for members without a value, a set leaves them out.
    @discardableResult
    public func value(forKey key: String) -> Any? { KeyValueCoding.value(of: self, [key]) }

    /// The same for a key path. The path may have collection operators, for example `@count` and `@sum`.
    @discardableResult
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueCoding.value(of: self, keyPath) }

    /// Sets a value for a key in each member.
    public func setValue(_ value: Any?, forKey key: String) { KeyValueCoding.set(value, key, in: self) }
  }

  extension KeyValueCoding {
    fileprivate static func set(_ value: Any?, _ key: String, in members: some Sequence) {
      for member in members {
        switch member {
        case let object as NSManagedObject: object.setValue(value, forKey: key)
        case let record as CKRecord: record.setValue(value, forKey: key)
        default: raiseUndefined(key, of: member, "setValue:forUndefinedKey:")
        }
      }
    }
  }
#endif
