import Foundation
import LocalCloudFoundationPredicates

#if canImport(ObjectiveC)
  /// Sorts records by the distance of a location field from a location, nearest first.
  // Sendable: the only property added to those of the superclass is a constant of a Sendable type.
  open class CKLocationSortDescriptor: NSSortDescriptor, @unchecked Sendable {
    /// Distances are measured from this location.
    public let relativeLocation: CLLocation

    /// Sorts by the distance between that field and that location.
    public init(key: String, relativeLocation: CLLocation) {
      self.relativeLocation = relativeLocation
      super.init(key: key, ascending: true, selector: nil)
    }

    /// Reads a descriptor from an archive. Without a location in the archive, the location is at zero degrees.
    public required init?(coder: NSCoder) {
      relativeLocation =
        coder.decodeObject(of: CLLocation.self, forKey: "relativeLocation") ?? CLLocation(latitude: 0, longitude: 0)
      super.init(coder: coder)
    }

    /// Writes the descriptor and its location to a keyed archive.
    open override func encode(with coder: NSCoder) {
      super.encode(with: coder)
      coder.encode(relativeLocation, forKey: "relativeLocation")
    }
  }
#else
  /// Sorts records by the distance of a location field from a location, nearest first.
  open class CKLocationSortDescriptor: NSSortDescriptor, NSSecureCoding {
    /// Distances are measured from this location.
    public let relativeLocation: CLLocation

    /// Sorts by the distance between that field and that location.
    public init(key: String, relativeLocation: CLLocation) {
      self.relativeLocation = relativeLocation
      super.init(keyPath: \SortProbe[key, .plain], ascending: true, comparator: Self.noOrder)
    }

    // MARK: Coding and copying

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a descriptor from an archive.
    ///
    /// - Difference: an archive without one gives a descriptor without key; the unarchiver's `error` is set.
    public required init(coder aDecoder: NSCoder) {
      let archive = aDecoder.decodePayload(SortArchive.self, forKey: Self.archiveKey)
      if archive?.location == nil { aDecoder.reportDamage(forKey: Self.archiveKey) }
      relativeLocation = archive?.location ?? CLLocation(latitude: 0, longitude: 0)
      super.init(keyPath: \SortProbe[archive?.key ?? "", .plain], ascending: true, comparator: Self.noOrder)
    }

    /// Writes the key and the location to a keyed archive.
    open func encode(with coder: NSCoder) {
      coder.encodePayload(SortArchive(descriptor: self), forKey: Self.archiveKey)
    }

    /// Returns the descriptor itself, because it is immutable.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    private static let archiveKey = "CKLocationSortDescriptor"

    /// Only the service knows distances.
    private static let noOrder: @Sendable (Any, Any) -> ComparisonResult = { _, _ in .orderedSame }
  }
#endif
