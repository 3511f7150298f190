import Foundation
import LocalCloudObjectStore

/// Creates the errors of this module, each with a complete `userInfo`.
enum CoreDataError {
  /// The code of the error for a store that the coordinator already has. Apple's API has no name for it.
  static let repeatedStore = 134081

  /// An error of any code.
  ///
  /// - Parameters:
  ///   - description: The message for people; nil for the standard text of the code.
  ///   - reason: The failure reason.
  ///   - url: The URL of the store.
  ///   - userInfo: Further entries.
  static func error(
    _ code: Int, description: String? = nil, reason: String? = nil, url: URL? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    var info = userInfo
    // On Linux, Foundation has no texts for codes.
    info[NSLocalizedDescriptionKey] = description ?? Self.description(of: code)
    info[NSLocalizedFailureReasonErrorKey] = reason
    info[NSURLErrorKey] = url
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }

  /// The error for an invalid value of an object's property.
  static func validation(
    _ code: Int, object: AnyObject, property: NSPropertyDescription, value: Any?, predicate: NSPredicate? = nil
  ) -> NSError {
    var info: [String: Any] = [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: property.name]
    info[NSValidationValueErrorKey] = value
    info[NSValidationPredicateErrorKey] = predicate
    let entity = (object as? NSManagedObject)?.entity
    let texts = LocalizedTexts(entity)
    let own = predicate.flatMap(property.warning).map(texts.error)
    return error(
      code, description: own ?? validationText(code, texts.name(of: property, in: entity)), userInfo: info)
  }

  /// The only error, or one error that contains all; nil if there is none.
  static func combined(_ errors: [any Error]) -> (any Error)? {
    guard errors.count > 1 else { return errors.first }
    return error(NSValidationMultipleErrorsError, userInfo: [NSDetailedErrorsKey: errors])
  }

  /// Runs several checks, and throws all their errors as one error.
  struct Checks {
    private var errors: [any Error] = []

    mutating func check(_ body: () throws -> Void) {
      do { try body() } catch {
        errors += (error as NSError).userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
      }
    }

    func finish() throws {
      if let error = CoreDataError.combined(errors) { throw error }
    }
  }

  /// A store's error in the form that programs receive.
  static func store(_ failure: ObjectStoreError, url: URL?) -> NSError {
    let (code, reason): (Int, String) =
      switch failure {
      case .notAStore(let path):
        (
          NSPersistentStoreOpenError,
          "\(path) is not a store of this library, which keeps objects in a folder of that name. Move the file away, or "
            + "use another URL."
        )
      case .missing(let path): (NSPersistentStoreOpenError, "There is no store at \(path).")
      case .otherModel(_, let entities):
        (
          NSPersistentStoreIncompatibleVersionHashError,
          "The model used to open the store is incompatible with the one used to create the store: "
            + entities.joined(separator: ", ") + "."
        )
      case .derivation(_, let entity, let attribute, let reason):
        (NSPersistentStoreOpenError, "The derived attribute \(entity).\(attribute) can't be computed: \(reason).")
      case .unknownFormat(let path, let found, let known):
        (
          NSPersistentStoreOpenError,
          "\(path) has the format \(found); this version of the library knows formats up to \(known). Use the newer "
            + "version that made the store."
        )
      case .readOnly(let path): (NSPersistentStoreSaveError, "The store at \(path) is open for reading only.")
      case .historyPurged: (NSPersistentHistoryTokenExpiredError, "The history that was asked for was purged.")
      case .diskFull(let path):
        (
          NSPersistentStoreOperationError,
          "\(path): the disk is full. Free space on it, and save again: nothing was saved."
        )
      case .denied(let path, let reason): (NSPersistentStoreOperationError, "\(path): \(reason)")
      case .damaged(let path, let reason):
        (
          NSPersistentStoreOperationError,
          "\(path): \(reason). `localcloud store check` lists all damage of a store, `localcloud store repair` makes the rest "
            + "usable."
        )
      case .storage(let path, let reason, _): (NSPersistentStoreOperationError, "\(path): \(reason)")
      }
    return error(code, reason: reason, url: url)
  }

  /// The error for a write that the system refuses, in the form of Foundation's error for files.
  static func unwritable(_ path: String, _ reason: String, url: URL?) -> NSError {
    error(
      CocoaError.fileWriteNoPermission.rawValue,
      description:
        "You don\u{2019}t have permission to save the store \u{201C}\(url?.lastPathComponent ?? path)\u{201D}.",
      reason: "\(path): \(reason). Nothing was saved.", url: url, userInfo: [NSFilePathErrorKey: path])
  }

  /// The error for objects that have changed in the store since the context read them.
  static func merge(_ conflicts: [NSMergeConflict]) -> NSError {
    error(NSManagedObjectMergeError, userInfo: ["conflictList": conflicts])
  }

  /// The error for objects with the same unique values.
  static func constraintMerge(_ conflicts: [NSConstraintConflict]) -> NSError {
    error(NSManagedObjectConstraintMergeError, userInfo: ["conflictList": conflicts])
  }

  // MARK: Texts

  /// - Assumption: Apple's texts are those in reports of errors. For a code without a report, the text is ours.
  private static func description(of code: Int) -> String {
    switch code {
    case NSCoreDataError: "A Core Data error occurred."
    case NSValidationMultipleErrorsError: "Multiple validation errors occurred."
    case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError: "Could not merge changes."
    case NSPersistentStoreIncompatibleVersionHashError:
      "The model used to open the store is incompatible with the one used to create the store"
    case NSPersistentStoreOpenError: "The persistent store could not be opened."
    case NSPersistentStoreSaveError: "The persistent store could not be saved."
    default: "The operation couldn\u{2019}t be completed. (Cocoa error \(code).)"
    }
  }

  private static func validationText(_ code: Int, _ name: String) -> String? {
    switch code {
    case NSValidationMissingMandatoryPropertyError: "\(name) is a required value."
    case NSValidationRelationshipLacksMinimumCountError: "Too few items in \(name)."
    case NSValidationRelationshipExceedsMaximumCountError: "Too many items in \(name)."
    case NSValidationRelationshipDeniedDeleteError: "Items cannot be deleted from \(name)."
    case NSValidationNumberTooLargeError: "\(name) is too large."
    case NSValidationNumberTooSmallError: "\(name) is too small."
    case NSValidationDateTooLateError: "\(name) is too late."
    case NSValidationDateTooSoonError: "\(name) is too soon."
    case NSValidationInvalidDateError: "\(name) is not a valid date."
    case NSValidationStringTooLongError: "\(name) is too long."
    case NSValidationStringTooShortError: "\(name) is too short."
    case NSValidationStringPatternMatchingError: "\(name) does not match its pattern."
    case NSManagedObjectValidationError: "\(name) is not valid."
    default: nil
    }
  }
}
