import CloudKit
import CoreLocation
import Testing

@Suite("Core Location together with CloudKit")
struct LocationTests {
  @Test("a program that imports Core Location can use the locations of CloudKit's records")
  func sameType() {
    let record = CKRecord(recordType: "Shop")
    record["place"] = CoreLocation.CLLocation(latitude: 48.2, longitude: 16.4)
    #expect((record["place"] as? CLLocation)?.coordinate.latitude == 48.2)
  }
}
