import Foundation

#if !canImport(ObjectiveC)
  extension UserDefaults {
    /// Sets the value of a default, as Apple's classes take it from `NSObject`, which Foundation lacks here. Code finds it that
    /// imports CloudKit, or Foundation beside a file that does.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
  }
#endif
