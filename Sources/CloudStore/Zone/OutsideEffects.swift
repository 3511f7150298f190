import Storage

/// What a commit of a zone does outside its folder: the members that this store adds to a journal's entries.
struct OutsideEffects: Sendable, Equatable {
  /// A line that the commit made in a database's log, to be repeated where a power cut may have taken it.
  struct Mention: Sendable, Equatable {
    var database: DatabasePath
    var zone: ExactName
    var owner: ExactName?
    var fields: JSONObject = [:]
  }

  /// A push that the commit causes, to be handed to devices once it is committed.
  struct Push: Sendable, Equatable {
    /// Names of devices.
    var devices: [String]
    /// The line for the devices' logs, but for what each log adds.
    var line: JSONObject
    /// The subscription that ends with its first push; the push is sent if it still had none.
    var once: SubscriptionReference?
  }

  var mentions: [Mention] = []
  var pushes: [Push] = []
  /// Subscriptions that end with what they were about.
  var withdrawals: [SubscriptionReference] = []

  init(mentions: [Mention] = [], pushes: [Push] = [], withdrawals: [SubscriptionReference] = []) {
    self.mentions = mentions
    self.pushes = pushes
    self.withdrawals = withdrawals
  }

  /// Nil where they can't be read.
  init?(_ extra: JSONObject) {
    guard let mentions = Self.list(extra, "mentions", Mention.init), let pushes = Self.list(extra, "pushes", Push.init),
      let withdrawals = Self.list(extra, "withdrawals", SubscriptionReference.init)
    else { return nil }
    self.init(mentions: mentions, pushes: pushes, withdrawals: withdrawals)
  }

  fileprivate static func list<Value>(
    _ extra: JSONObject, _ key: String, _ parse: (JSONValue) -> Value?
  ) -> [Value]? {
    let items = extra[key]?.array ?? []
    let values = items.compactMap(parse)
    return values.count == items.count ? values : nil
  }

  var members: JSONObject {
    var result = JSONObject()
    func add(_ key: String, _ values: [JSONValue]) { if !values.isEmpty { result[key] = .array(values) } }
    add("mentions", mentions.map(\.value))
    add("pushes", pushes.map(\.value))
    add("withdrawals", withdrawals.map(\.value))
    return result
  }
}

/// Of an entry that was understood. Before a commit its mentions are looked at, after it the rest.
extension JournalEntry {
  var mentions: [OutsideEffects.Mention] {
    OutsideEffects.list(extra, "mentions", OutsideEffects.Mention.init) ?? []
  }
  var pushes: [OutsideEffects.Push] { OutsideEffects.list(extra, "pushes", OutsideEffects.Push.init) ?? [] }
  var withdrawals: [SubscriptionReference] {
    OutsideEffects.list(extra, "withdrawals", SubscriptionReference.init) ?? []
  }
}

extension OutsideEffects.Mention {
  init?(_ item: JSONValue) {
    guard let container = item["container"]?.string, let environment = item["environment"]?.string,
      let scope = item["scope"]?.array?.compactMap(\.string), !scope.isEmpty,
      let zone = item["zone"]?.string, let fields = item["fields"]?.object
    else { return nil }
    self.init(
      database: DatabasePath(container: ExactName(container), environment: environment, scope: scope),
      zone: ExactName(zone), owner: item["owner"]?.string.map { ExactName($0) }, fields: fields)
  }

  var value: JSONValue {
    var object: JSONObject = [
      "container": .string(database.container.string), "environment": .string(database.environment),
      "scope": .array(database.scope.map { .string($0) }), "zone": .string(zone.string), "fields": .object(fields),
    ]
    if let owner { object["owner"] = .string(owner.string) }
    return .object(object)
  }
}

extension OutsideEffects.Push {
  init?(_ item: JSONValue) {
    guard let devices = item["devices"]?.array?.compactMap(\.string), let line = item["line"]?.object else {
      return nil
    }
    self.init(devices: devices, line: line)
    guard let once = item["once"] else { return }
    guard let reference = SubscriptionReference(once) else { return nil }
    self.once = reference
  }

  var value: JSONValue {
    var object: JSONObject = ["devices": .array(devices.map { .string($0) }), "line": .object(line)]
    if let once { object["once"] = once.value }
    return .object(object)
  }
}
