import Foundation
import LocalCloudModel
import LocalCloudPredicateFormat
import LocalCloudService
import LocalCloudStorage
import Testing

// The translator is internal. Some of its inputs occur only in damaged clouds.
@testable import CloudKit

@Suite("Conversion of the service's values to CloudKit's classes")
struct TranslatorTests {
  private let translator = Translator(ownName: "_me")

  @Test("the current user's name becomes the default name, and without an account all names stay")
  func currentUsersNameBecomesTheDefaultName() throws {
    #expect(translator.userName("_me") == CKCurrentUserDefaultName)
    #expect(translator.userName("_you") == "_you")
    #expect(translator.serviceUserName(CKCurrentUserDefaultName) == "_me")
    #expect(translator.serviceUserName("_you") == "_you")
    let nobody = Translator(ownName: nil)
    #expect(nobody.userName("_me") == "_me")
    #expect(nobody.serviceUserName(CKCurrentUserDefaultName) == CKCurrentUserDefaultName)
    #expect(try translator.zoneID(ZoneIdentifier(name: "Z")).ownerName == CKCurrentUserDefaultName)
    #expect(try translator.zoneID(ZoneIdentifier(name: "Z", owner: "_me")).ownerName == CKCurrentUserDefaultName)
    #expect(try translator.zoneID(ZoneIdentifier(name: "Z", owner: "_you")).ownerName == "_you")
    #expect(translator.userRecordID("_me")?.recordName == CKCurrentUserDefaultName)
    #expect(translator.userRecordID("") == nil)
  }

  @Test("an impossible name is an error for damage, and does not stop the process")
  func impossibleNames() {
    let long = String(repeating: "x", count: 256)
    for (zone, isBad) in [("", true), (long, true), (String(long.dropLast()), false)] {
      let error = failure { () throws(ServiceError) in try translator.zoneID(ZoneIdentifier(name: ExactName(zone))) }
      #expect((error != nil) == isBad)
      guard isBad else { continue }
      #expect(error?.code == .internalError)
      #expect(error?.cause == .damage)
      #expect(error?.message == "The tree holds a zone with an impossible name: '\(zone)'.")
      #expect(
        error?.hint == "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
    }
    let error = failure { () throws(ServiceError) in try translator.recordID(ExactName(""), in: testZoneID) }
    #expect(error?.code == .internalError)
    #expect(error?.cause == .damage)
    #expect(error?.message == "The tree holds a record with an impossible name: ''.")
  }

  private func failure<Value>(_ body: () throws(ServiceError) -> Value) -> ServiceError? {
    do throws(ServiceError) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("a zone is converted with its capabilities, its share and its encryption scope")
  func zoneIsConvertedWithItsCapabilities() throws {
    let plain = try translator.zone(Zone(id: ZoneIdentifier(name: "Z"), capabilities: 15))
    #expect(plain.capabilities.rawValue == 15)
    #expect(plain.share == nil)
    #expect(plain.encryptionScope == .perRecord)
    let shared = try translator.zone(
      Zone(id: ZoneIdentifier(name: "Z"), capabilities: 11, share: "cloudkit.zoneshare", encryptionScope: .perZone))
    #expect(shared.encryptionScope == .perZone)
    #expect(shared.share?.action == CKRecord.ReferenceAction.none)
    #expect(shared.share?.recordID == CKRecord.ID(recordName: "cloudkit.zoneshare", zoneID: shared.zoneID))
  }

  @Test("unknown properties of a location get the numbers that CoreLocation uses")
  func unknownPropertiesOfALocationGet() throws {
    let bare = LocationValue(latitude: 1, longitude: 2)
    let location = try #require(try translator.value(.location(bare), in: testZoneID).object as? CLLocation)
    #expect(location.coordinate.latitude == 1)
    #expect(location.coordinate.longitude == 2)
    #expect(location.altitude == 0)
    #expect(location.horizontalAccuracy == 0)
    #expect(location.verticalAccuracy == -1)
    #expect(location.course == -1)
    #expect(location.speed == -1)
    #expect(location.timestamp == Date(timeIntervalSince1970: 0))
    var whole = bare
    (whole.altitude, whole.horizontalAccuracy, whole.verticalAccuracy) = (3, 4, 5)
    (whole.course, whole.speed, whole.timestamp) = (6, 7, Moment(secondsSince2001: 8))
    let known = try #require(try translator.value(.location(whole), in: testZoneID).object as? CLLocation)
    #expect(known.altitude == 3)
    #expect(known.horizontalAccuracy == 4)
    #expect(known.verticalAccuracy == 5)
    #expect(known.course == 6)
    #expect(known.speed == 7)
    #expect(known.timestamp == Date(timeIntervalSinceReferenceDate: 8))
  }

  @Test("a reference without a zone is in its record's zone, and the action VALIDATE becomes none")
  func referenceWithoutAZone() throws {
    func reference(_ value: ReferenceValue) throws -> CKRecord.Reference? {
      try translator.value(.reference(value), in: testZoneID).object as? CKRecord.Reference
    }
    let near = try #require(try reference(ReferenceValue(record: "r", action: .deleteSelf)))
    #expect(near.recordID == CKRecord.ID(recordName: "r", zoneID: testZoneID))
    #expect(near.action == .deleteSelf)
    let far = try #require(
      try reference(ReferenceValue(record: "r", zone: ZoneIdentifier(name: "Z", owner: "_you"), action: .validate)))
    #expect(far.recordID.zoneID == CKRecordZone.ID(zoneName: "Z", ownerName: "_you"))
    #expect(far.action == CKRecord.ReferenceAction.none)
  }

  @Test("an identity is converted with all parts of its name and each kind of lookup")
  func identityIsConvertedWithAllParts() {
    var name = PersonName(given: "Ann", family: "Lee")
    (name.middle, name.prefix, name.suffix, name.nickname) = ("B", "Dr", "II", "Annie")
    let known = translator.identity(
      UserIdentity(userRecordName: "_you", name: name, lookup: .email("a@b.c")))
    #expect(known.userRecordID?.recordName == "_you")
    #expect(known.hasiCloudAccount)
    let parts = known.nameComponents
    #expect(parts?.givenName == "Ann")
    #expect(parts?.familyName == "Lee")
    #expect(parts?.middleName == "B")
    #expect(parts?.namePrefix == "Dr")
    #expect(parts?.nameSuffix == "II")
    #expect(parts?.nickname == "Annie")
    #expect(known.lookupInfo?.emailAddress == "a@b.c")
    let unknown = translator.identity(UserIdentity(name: PersonName(), lookup: .phone("1")))
    #expect(unknown.userRecordID == nil)
    #expect(unknown.nameComponents == nil)
    #expect(!unknown.hasiCloudAccount)
    #expect(unknown.lookupInfo?.phoneNumber == "1")
    let named = translator.identity(UserIdentity(lookup: .userRecordName("_me")))
    #expect(named.lookupInfo?.userRecordID?.recordName == CKCurrentUserDefaultName)
    for lookup in [LookupInfo.email("a"), .phone("1"), .userRecordName("_me"), .userRecordName("_you")] {
      let info = translator.identity(UserIdentity(lookup: lookup)).lookupInfo
      #expect(info.flatMap(translator.serviceLookup) == lookup)
    }
  }

  // MARK: Predicates

  private func format(_ filter: QueryFilter) throws -> String? {
    try translator.predicate(QueryCondition([filter]), in: nil).tree?.format
  }

  @Test("every comparator of the service is converted to the predicate from which it was made")
  func everyComparatorOfTheServiceIsConverted() throws {
    let (one, two) = (FieldValue.int64(1), FieldValue.list(.string, [.string("a"), .string("b")]))
    let rows: [(QueryFilter, String)] = [
      (QueryFilter("n", .equals, one), "n == 1"), (QueryFilter("n", .notEquals, one), "n != 1"),
      (QueryFilter("n", .lessThan, one), "n < 1"), (QueryFilter("n", .lessThanOrEquals, one), "n <= 1"),
      (QueryFilter("n", .greaterThan, one), "n > 1"), (QueryFilter("n", .greaterThanOrEquals, one), "n >= 1"),
      (QueryFilter("t", .in, two), "t IN {'a', 'b'}"), (QueryFilter("t", .notIn, two), "NOT t IN {'a', 'b'}"),
      (QueryFilter("t", .beginsWith, .string("a")), "t BEGINSWITH 'a'"),
      (QueryFilter("t", .notBeginsWith, .string("a")), "NOT t BEGINSWITH 'a'"),
      (QueryFilter("t", .listContains, .string("a")), "t CONTAINS 'a'"),
      (QueryFilter("t", .notListContains, .string("a")), "NOT t CONTAINS 'a'"),
      (QueryFilter("t", .listContainsAny, two), "ANY t IN {'a', 'b'}"),
      (QueryFilter("t", .notListContainsAny, two), "NOT (ANY t IN {'a', 'b'})"),
      (QueryFilter("t", .listMemberBeginsWith, .string("a")), "ANY t BEGINSWITH 'a'"),
      (QueryFilter("t", .notListMemberBeginsWith, .string("a")), "NOT (ANY t BEGINSWITH 'a')"),
      (QueryFilter("t", .listContainsAll, two), "t CONTAINS 'a' AND t CONTAINS 'b'"),
      (QueryFilter("t", .notListContainsAll, two), "NOT (t CONTAINS 'a' AND t CONTAINS 'b')"),
      (QueryFilter(nil, .containsAnyTokens, .string("a b")), "self CONTAINS 'a b'"),
      (QueryFilter(nil, .containsAllTokens, .string("a b")), "ALL tokenize('a b', 'Cdl') IN allTokens"),
    ]
    for (filter, text) in rows {
      let expected = try NSPredicate(format: text).tree?.format
      let actual = try format(filter)
      #expect(expected != nil, "\(text)")
      #expect(actual == expected, "\(text)")
    }
    // Fails for a comparator without a row above, also for future ones.
    #expect(Set(rows.map(\.0.comparator)).union([.near]) == Set(QueryComparator.allCases))
    let location = FieldValue.location(LocationValue(latitude: 1, longitude: 2))
    let near = #"distanceToLocation:fromLocation:(at, CAST({1.0, 2.0}, "CLLocation")) < "#
    #expect(try format(QueryFilter("at", .near, location, distance: 50)) == near + "50.0")
    #expect(try format(QueryFilter("at", .near, location)) == near + "0.0")
  }

  @Test("conditions with no, several or impossible filters are converted; references get the queried zone")
  func conditionsWithNoSeveralOrImpossibleFilters() throws {
    func format(_ condition: QueryCondition, in zone: ZoneIdentifier? = nil) throws -> String? {
      try translator.predicate(condition, in: zone).tree?.format
    }
    #expect(try format(.always) == NSPredicate(value: true).tree?.format)
    #expect(try format(.never) == NSPredicate(value: false).tree?.format)
    let one = QueryFilter("n", .equals, .int64(1))
    #expect(try format(QueryCondition([one, QueryFilter("m", .equals, .int64(2))])) == "n == 1 AND m == 2")
    let link = QueryCondition([QueryFilter("r", .equals, .reference(ReferenceValue(record: "x")))])
    let inZone = try format(link, in: ZoneIdentifier(name: "Home"))
    #expect(
      inZone == #"r == CAST({"ownerName", "__defaultOwner__", "recordName", "x", "zoneName", "Home"}, "CKReference")"#)
    let inDefault = try format(link)
    #expect(inDefault?.contains(#""zoneName", "_defaultZone""#) == true)
  }
}
