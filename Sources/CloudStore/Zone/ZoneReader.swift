import Storage

/// Reading a zone while its lock is held: as it is (``ZoneView``), or as a transaction is about to leave it
/// (``ZoneTransaction``).
package protocol ZoneReader: AnyObject {
  var zone: ZoneStore { get }
  func record(_ name: ExactName) throws -> StoredRecord?
  func children(of parent: ExactName) throws -> [ExactName]
  /// Records that go when this one goes.
  func referrers(of target: ExactName) throws -> [ExactName]
  /// Records without which this one can't go.
  func validators(of target: ExactName) throws -> [ExactName]
  /// Live members of a share, by its log.
  func members(of share: ExactName) throws -> [ExactName]
  /// A file that commits of this zone write; nil where there is none.
  func file(_ path: StorePath) throws -> [UInt8]?
}
