import CloudKit

/// The notes of a device, as the delegate of its engine.
protocol NoteModel: CKSyncEngineDelegate {
  func change<Value: Sendable>(_ body: @Sendable (inout NoteStore) -> Value) async -> Value
}

/// A model in the form of Apple's sample.
actor ActorModel: NoteModel {
  private var notes: NoteStore

  init(_ file: URL) throws { notes = try NoteStore(file) }

  func change<Value: Sendable>(_ body: @Sendable (inout NoteStore) -> Value) -> Value { body(&notes) }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) { notes.handle(event, syncEngine) }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    await notes.batch(context, syncEngine)
  }
}

/// A model that a view observes.
@MainActor
final class ClassModel: NoteModel {
  private var notes: NoteStore

  init(_ file: URL) throws { notes = try NoteStore(file) }

  func change<Value: Sendable>(_ body: @Sendable (inout NoteStore) -> Value) async -> Value { body(&notes) }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async { notes.handle(event, syncEngine) }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    await notes.batch(context, syncEngine)
  }

  func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions {
    var options = context.options
    options.prioritizedZoneIDs = [NoteStore.zoneID]
    return options
  }
}

/// A device: a model with its engine, which lives as long as this value.
struct Device {
  let model: any NoteModel
  let engine: CKSyncEngine

  init(_ model: any NoteModel, automatically: Bool = false) async {
    self.model = model
    var configuration = CKSyncEngine.Configuration(
      database: CKContainer.default().privateCloudDatabase, stateSerialization: await model.change { $0.state },
      delegate: model)
    configuration.automaticallySync = automatically
    engine = CKSyncEngine(configuration)
  }

  var texts: [String: String] {
    get async { await model.change { $0.texts } }
  }

  func set(_ name: String, _ text: String?) async {
    let engine = engine
    await model.change { $0.set(name, text, engine) }
  }
}
