import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct WaitRecordCommand: Command {
  static let description = CommandDescription(
    "wait", "record", summary: "Wait for a record, or until its fields have some values",
    discussion: """
      Prints the record as "record get" does, at once if it is there already. With --until it has to pass the filters, \
      which are written as those of "record query", but need no index. With --deleted it waits until there is no such \
      record. The zone need not exist yet, or be shared with the account. Nothing is asked at intervals: the command \
      sleeps until somebody writes. If the time is over, the exit code is 124, and the message says what is there.
      """,
    examples: [
      .init("A record that an app saves", "localcloud wait record milk --zone Notes"),
      .init("Until it has a value", "localcloud wait record milk -z Notes --until 'quantity == 3'"),
      .init(
        "As the participant of a share, at most five seconds",
        "localcloud wait record milk --account bob --database shared -z Notes --timeout 5"),
      .init("Look once", "localcloud wait record milk -z Notes --until 'done == 1' --timeout 0"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .tryLater, .timedOut, .interrupted, .terminated])

  let name = Argument<String>("name", help: "the record's name")
  let zone = ZoneOptions()
  let until = OptionList<String>("until", "FILTER", help: "\"FIELD OPERATOR VALUE\"; see localcloud help filters")
  let deleted = Flag("deleted", excludes: ["until"], help: "until there is no such record")
  let limit = WaitOptions()

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { zone.options + [until, deleted] + limit.options }

  func run(_ context: CommandContext) throws {
    let filters = try context[until].map { try FilterText.filter($0) }
    let name = context[self.name]
    let zone = try AwaitedZone(self.zone, context)
    if context[deleted] { return try waitForDeletion(name, zone, context) }
    let record = try limit.wait(context, zone.lastingSession, watching: zone.watchedFolders) {
      try look(name, zone, filters)
    }
    try context.writeResult(record: record, RecordText(people: try People(zone.session)))
  }

  private func look(_ name: String, _ zone: AwaitedZone, _ filters: [QueryFilter]) throws -> Look<Record> {
    try Look {
      let target = try zone.target()
      let record: Record
      do { record = try target.fetch(ExactName(name)) } catch {
        guard (error as? ServiceError)?.code == .unknownItem else { throw error }
        return .unmet("there is no record \(name) in \(target.searched)")
      }
      let refusals = try target.service.queries.refusals(of: record, by: filters, target.caller)
      if refusals.isEmpty { return .met(record) }
      let texts = refusals.map { filter, value -> String in
        guard let key = filter.key else { return "the words are in no field" }
        return value.map { "\(key) is \($0.text)" } ?? "\(key) has no value"
      }
      return .unmet("record \(name) exists, but \(texts.joined(separator: " and "))")
    }
  }

  private func waitForDeletion(_ name: String, _ zone: AwaitedZone, _ context: CommandContext) throws {
    try limit.wait(context, zone.lastingSession, watching: zone.watchedFolders) { () throws -> Look<Void> in
      let found = try Look<Void> {
        let target = try zone.target()
        _ = try target.fetch(ExactName(name), keys: [])
        return .met(())
      }
      switch found {
      case .met: return .unmet("record \(name) exists")
      case .unmet: return .met(())
      }
    }
    try context.writeUnlessQuiet(
      ["deleted": true, "recordName": .string(name)], text: "there is no record \(name, .bold)")
  }
}

struct WaitCountCommand: Command {
  static let description = CommandDescription(
    "wait", "count", summary: "Wait until a zone has so many records",
    discussion: """
      Counts the records of a type, with --filter those that a query finds; without a type all records of the zone. \
      Prints their number. A zone or a type that does not exist has none.
      """,
    examples: [
      .init("Until three notes are there", "localcloud wait count Note --zone Notes --at-least 3"),
      .init("Until all are done", "localcloud wait count Note --zone Notes --filter 'done == 0' --is 0"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .tryLater, .timedOut, .interrupted, .terminated])

  let type = OptionalArgument<String>("type", help: "the record type")
  let zone = ZoneOptions()
  let exactly = Option<Int>("is", "COUNT", .wholeNumber(), excludes: ["at-least"], help: "exactly so many")
  let atLeast = Option<Int>("at-least", "COUNT", .wholeNumber(), help: "so many or more")
  let filters = OptionList<String>(
    "filter", "FILTER", short: "f", help: "\"FIELD OPERATOR VALUE\"; see localcloud help filters")
  let limit = WaitOptions()

  var arguments: [any ArgumentDeclaration] { [type] }
  var options: [any OptionDeclaration] { zone.options + [exactly, atLeast, filters] + limit.options }

  func run(_ context: CommandContext) throws {
    let (type, exactly, atLeast) = (context[self.type], context[self.exactly], context[self.atLeast])
    guard exactly != nil || atLeast != nil else { throw CommandFailure.usage("--is or --at-least is missing") }
    let filters = try context[self.filters].map { try FilterText.filter($0) }
    if type == nil, !filters.isEmpty { throw CommandFailure.usage("--filter needs a type") }
    let zone = try AwaitedZone(self.zone, context)
    let count = try limit.wait(context, zone.lastingSession, watching: zone.watchedFolders) { () throws -> Look<Int> in
      let count = try self.count(type, filters, zone)
      if count == exactly || atLeast.map({ count >= $0 }) == true { return .met(count) }
      return .unmet(count == 1 ? "there is 1 record" : "there are \(count) records")
    }
    try context.writeResult(["count": .integer(Int64(count))], text: "\(count)")
  }

  private func count(_ type: String?, _ filters: [QueryFilter], _ zone: AwaitedZone) throws -> Int {
    let found = try Look<Int> {
      let total = try RecordTotal(ofType: type, filters, in: zone.target())
      return .met(total.count + total.failures.count)
    }
    return if case .met(let count) = found { count } else { 0 }
  }
}

struct WaitZoneCommand: Command {
  static let description = CommandDescription(
    "wait", "zone", summary: "Wait for a zone, one's own or one that somebody shares",
    discussion: "Prints the zone's name. With --deleted it waits until there is no such zone.",
    examples: [
      .init("Of an app that starts", "localcloud wait zone Notes"),
      .init("Until somebody's share is accepted", "localcloud wait zone Notes --database shared --account bob"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .tryLater, .timedOut, .interrupted, .terminated])

  let name = Argument<String>("name", help: "the zone's name")
  let owner = ZoneOptions.owner
  let deleted = Flag("deleted", help: "until there is no such zone")
  let limit = WaitOptions()

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [owner, deleted] + limit.options }

  func run(_ context: CommandContext) throws {
    let name = context[self.name]
    let zone = try AwaitedZone(name, owner: context[owner], context)
    let wantsNone = context[deleted]
    let found = try limit.wait(context, zone.lastingSession, watching: zone.watchedFolders) {
      () throws -> Look<Zone?> in
      let found = try Look<Zone> {
        let target = try zone.target()
        return .met(try target.service.zones.list([target.zone], in: target.scope, by: target.caller)[0].get())
      }
      switch found {
      case .met(let zone): return wantsNone ? .unmet("zone \(name) exists") : .met(zone)
      case .unmet(let text): return wantsNone ? .met(nil) : .unmet(text)
      }
    }
    guard let found else {
      return try context.writeUnlessQuiet(
        ["deleted": true, "zoneName": .string(name)], text: "there is no zone \(name, .bold)")
    }
    try context.writeResult(found.object, text: "\(found.id.name)")
  }
}
