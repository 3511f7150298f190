// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// An error of CloudKit: a code, and details in `userInfo`.
///
/// Bridges to and from `NSError`: `error as? CKError`, `catch let error as CKError` and `catch CKError.zoneNotFound`
/// work with a thrown `CKError` as well as with a thrown `NSError`. Two errors are equal if domain, code and `userInfo`
/// are equal.
public struct CKError: _BridgedStoredNSError {
  /// The error as an `NSError`.
  public let _nsError: NSError

  /// Wraps an error of the domain `CKErrorDomain`; stops the process on any other.
  public init(_nsError error: NSError) {
    guard error.domain == CKErrorDomain else { raise("Not an error of CKErrorDomain: \(error.domain)") }
    #if canImport(ObjectiveC)
      _nsError = error
    #else
      _nsError = error is CKUnderlyingNSError ? error : CKUnderlyingNSError(error)
    #endif
  }

  /// The domain of these errors.
  public static var _nsErrorDomain: String { CKErrorDomain }

  /// The domain of these errors.
  public static var errorDomain: String { CKErrorDomain }

  /// Hashes only the code, because Linux's `NSError.hash` never returns.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(_nsError.code)
  }
}

#if !canImport(ObjectiveC)
  /// Lets `as?` and `catch` convert an `NSError` into a `CKError`. On Apple's platforms the compiler supports that
  /// itself.
  extension CKError: _ObjectiveCBridgeable {
    /// The Objective-C class that the error bridges to.
    public typealias _ObjectiveCType = NSError

    /// The error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Fails for errors of another domain, and for codes that do not exist.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) -> Bool {
      guard source.domain == CKErrorDomain, Code(rawValue: source.code) != nil else {
        result = nil
        return false
      }
      result = CKError(_nsError: source)
      return true
    }

    /// Stops the process for errors of another domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) {
      result = CKError(_nsError: source)
    }

    /// Stops the process for errors of another domain, and for nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CKError {
      guard let source else { raise("There is no error to bridge") }
      return CKError(_nsError: source)
    }
  }
#endif

/// The domain of CloudKit's errors.
public let CKErrorDomain: String = "CKErrorDomain"
