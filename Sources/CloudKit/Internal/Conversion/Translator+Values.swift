import Foundation
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

extension Translator {
  // MARK: To the service

  func serviceValue(_ value: ClientValue) -> FieldValue {
    switch value {
    case .string(let string): .string(string)
    case .int64(let integer): .int64(integer)
    // The save is refused with the reason (see Translator.save), so this value is never stored.
    case .unsigned: .double(.nan)
    case .double(let number): .double(number)
    case .date(let date): .timestamp(Moment(date))
    case .bytes(let data): .bytes([UInt8](data))
    case .location(let location): .location(serviceLocation(location))
    case .reference(let reference):
      .reference(
        ReferenceValue(
          record: ExactName(reference.recordID.recordName), zone: identifier(reference.recordID.zoneID),
          action: reference.action == .deleteSelf ? .deleteSelf : .none))
    case .asset(let asset): .asset(self.asset(asset))
    case .list(let list): serviceList(list)
    }
  }

  private func serviceLocation(_ location: CLLocation) -> LocationValue {
    var value = LocationValue(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
    value.altitude = location.altitude
    value.horizontalAccuracy = location.horizontalAccuracy
    value.verticalAccuracy = location.verticalAccuracy
    value.course = location.course
    value.speed = location.speed
    value.timestamp = Moment(location.timestamp)
    return value
  }

  private func serviceList(_ list: [ClientValue]) -> FieldValue {
    var elements = list.map(serviceValue)
    if elements.contains(where: { $0.elementType == .double }) {
      // Numbers in a list have one type: [1, 2.5] holds two doubles.
      elements = elements.map { element in
        if case .int64(let integer) = element { .double(Double(integer)) } else { element }
      }
    }
    return .list(elements.first?.elementType ?? .unknown, elements)
  }

  // MARK: From the service

  func value(_ value: FieldValue, in zoneID: CKRecordZoneID) throws(ServiceError) -> ClientValue {
    switch value {
    case .string(let string): return .string(string)
    case .int64(let integer): return .int64(integer)
    case .double(let number): return .double(number)
    case .timestamp(let moment): return .date(Date(moment))
    case .bytes(let bytes): return .bytes(Data(bytes))
    case .location(let location): return .location(CLLocation(location))
    case .reference(let reference):
      let zone = try reference.zone.map { (zone) throws(ServiceError) in try self.zoneID(zone) }
      let target = try recordID(reference.record, in: zone ?? zoneID)
      return .reference(CKReference(recordID: target, action: reference.action == .deleteSelf ? .deleteSelf : .none))
    case .asset(let asset): return .asset(self.asset(asset))
    case .list(_, let elements):
      var list: [ClientValue] = []
      for element in elements { list.append(try self.value(element, in: zoneID)) }
      return .list(list)
    }
  }
}

extension Date {
  init(_ moment: Moment) {
    self.init(timeIntervalSinceReferenceDate: moment.secondsSince2001)
  }

  init(milliseconds: Int64) { self.init(Moment(milliseconds: milliseconds)) }
}

extension Moment {
  fileprivate init(_ date: Date) {
    self.init(secondsSince2001: date.timeIntervalSinceReferenceDate)
  }
}

extension CLLocation {
  fileprivate convenience init(_ value: LocationValue) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: value.latitude, longitude: value.longitude),
      altitude: value.altitude ?? 0, horizontalAccuracy: value.horizontalAccuracy ?? 0,
      verticalAccuracy: value.verticalAccuracy ?? -1, course: value.course ?? -1, speed: value.speed ?? -1,
      timestamp: Date(value.timestamp ?? Moment(milliseconds: 0)))
  }
}
