import Foundation

extension ClientValue {
  /// One value in an archive: exactly one of the fields is set. Dates and locations keep full precision.
  struct Archive: Codable {
    var string: String?
    var int64: Int64?
    var unsigned: UInt64?
    var double: Double?
    var date: Double?
    var bytes: Data?
    /// Latitude, longitude, altitude, two accuracies, course, its accuracy, speed, its accuracy, time.
    var location: [Double]?
    var reference: CKReference.Archive?
    var asset: CKAsset.Archive?
    var list: [Archive]?
  }

  var archive: Archive {
    switch self {
    case .string(let string): Archive(string: string)
    case .int64(let integer): Archive(int64: integer)
    case .unsigned(let integer): Archive(unsigned: integer)
    case .double(let number): Archive(double: number)
    case .date(let date): Archive(date: date.timeIntervalSinceReferenceDate)
    case .bytes(let data): Archive(bytes: data)
    case .location(let location): Archive(location: location.numbers)
    case .reference(let reference): Archive(reference: reference.archive)
    case .asset(let asset): Archive(asset: asset.archive)
    case .list(let list): Archive(list: list.map(\.archive))
    }
  }

  init?(archive: Archive) {
    self.init(archive: archive, inList: false)
  }

  private init?(archive: Archive, inList: Bool) {
    if let string = archive.string {
      self = .string(string)
    } else if let integer = archive.int64 {
      self = .int64(integer)
    } else if let integer = archive.unsigned {
      self = Int64(exactly: integer).map { .int64($0) } ?? .unsigned(integer)
    } else if let number = archive.double {
      self = .double(number)
    } else if let date = archive.date {
      self = .date(Date(timeIntervalSinceReferenceDate: date))
    } else if let data = archive.bytes {
      self = .bytes(data)
    } else if let numbers = archive.location, let location = CLLocation.make(numbers: numbers) {
      self = .location(location)
    } else if let reference = archive.reference.flatMap(CKReference.init(archive:)) {
      self = .reference(reference)
    } else if let asset = archive.asset {
      guard let asset = CKAsset(archive: asset) else { return nil }
      self = .asset(asset)
    } else if let list = archive.list, !inList {
      let values = list.compactMap { ClientValue(archive: $0, inList: true) }
      guard values.count == list.count else { return nil }
      self = .list(values)
    } else {
      return nil
    }
  }
}

extension CLLocation {
  fileprivate var numbers: [Double] {
    [
      coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course,
      courseAccuracy, speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
    ]
  }

  fileprivate static func make(numbers: [Double]) -> CLLocation? {
    guard numbers.count == 10 else { return nil }
    return CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]), altitude: numbers[2],
      horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4], course: numbers[5], courseAccuracy: numbers[6],
      speed: numbers[7], speedAccuracy: numbers[8], timestamp: Date(timeIntervalSinceReferenceDate: numbers[9]))
  }
}
