import Foundation

#if !canImport(ObjectiveC)
  extension UserDefaults {
    /// Sets the value of a default. Apple's classes inherit this from `NSObject`; Foundation lacks it on Linux. Visible
    /// in files that import CloudKit, and in files that import Foundation beside a file that does.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
  }
#endif
