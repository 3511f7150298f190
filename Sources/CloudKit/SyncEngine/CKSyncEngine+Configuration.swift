extension CKSyncEngine {
  /// The settings of a sync engine.
  ///
  /// - Assumption: the engine copies them: later changes of the value have no effect on it.
  public struct Configuration: Sendable {
    /// The database: the private or the shared one.
    ///
    /// An app that syncs both has an engine for each. Several engines for one database serve tests that play several
    /// devices.
    ///
    /// - Assumption: the engine does not check that only tests do so.
    public var database: CKDatabase

    /// The state that the delegate last stored; nil for the first start.
    ///
    /// With nil the engine fetches everything, and reports a sign-in if there is an account.
    public var stateSerialization: CKSyncEngine.State.Serialization?

    /// The receiver of events and the source of batches. The configuration and the engine retain it.
    public var delegate: any CKSyncEngineDelegate

    /// Whether the engine fetches and sends by itself. The default is true.
    ///
    /// With false it does nothing but report account changes until the app calls ``CKSyncEngine/fetchChanges(_:)`` or
    /// ``CKSyncEngine/sendChanges(_:)``.
    ///
    /// - Assumption: account changes are reported with either value.
    public var automaticallySync: Bool

    /// The ID of the database subscription to use. With nil, the default, the engine uses the database's subscription,
    /// or saves one of its own.
    public var subscriptionID: CKSubscription.ID?

    /// Makes the settings of an engine that syncs by itself.
    public init(
      database: CKDatabase, stateSerialization: CKSyncEngine.State.Serialization?, delegate: any CKSyncEngineDelegate
    ) {
      self.database = database
      self.stateSerialization = stateSerialization
      self.delegate = delegate
      automaticallySync = true
    }
  }
}

extension CKSyncEngine.Configuration: CustomStringConvertible {
  /// The database and the settings.
  public var description: String {
    "<CKSyncEngine.Configuration: database=\(database), hasState=\(stateSerialization != nil), "
      + "automaticallySync=\(automaticallySync), subscriptionID=\(subscriptionID ?? "nil")>"
  }
}
