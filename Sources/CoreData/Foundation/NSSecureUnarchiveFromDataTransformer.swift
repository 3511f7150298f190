#if !canImport(ObjectiveC)
  import Foundation

  /// Reads objects of known classes from secure archives; the reverse transformation archives them.
  ///
  /// A subclass names more classes in ``allowedTopLevelClasses``.
  open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The allowed classes for the objects of an archive.
    open class var allowedTopLevelClasses: [AnyClass] { ObjectArchive.plainClasses }

    /// The first one of the allowed classes.
    @discardableResult
    open override class func transformedValueClass() -> AnyClass { allowedTopLevelClasses.first ?? NSObject.self }

    /// Yes: objects are archived again.
    @discardableResult
    open override class func allowsReverseTransformation() -> Bool { true }

    /// Reads the object of an archive; nil for data that are not an archive of an allowed object.
    ///
    /// - Difference: nil for an archive of an object of another class, too; Apple's class raises an exception. A
    ///   malicious archive, for example of a dictionary with more keys than values, may stop the process: Foundation
    ///   does not check it on Linux.
    @discardableResult
    open override func transformedValue(_ value: Any?) -> Any? {
      guard let data = value as? Data, !data.isEmpty else { return nil }
      return ObjectArchive.object(in: data, of: Self.allowedTopLevelClasses)
    }

    /// Archives an object. Stops the process for an object of a class that is not allowed, or that can't be archived
    /// securely; Apple's class raises an exception.
    ///
    /// - Difference: an attribute's value is archived when it is set, not at the save. An object with parts of classes
    ///   that are not allowed stops the process, too; Apple's class raises an exception when the archive is read.
    @discardableResult
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
      guard let value, !(value is NSNull) else { return nil }
      let data = try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
      guard let data, !data.isEmpty else { return nil }
      // An archive that can't be read again would be nil at every later read.
      guard ObjectArchive.object(in: data, of: Self.allowedTopLevelClasses) != nil else {
        let allowed = Self.allowedTopLevelClasses.map { NSStringFromClass($0) }.joined(separator: ", ")
        raiseException(
          "Object of class \(type(of: value)) is not among allowed top level class list ( \(allowed) )")
      }
      return data
    }
  }
#endif
