import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import CoreData

@Suite("Value transformers")
struct ValueTransformerTests {
  private func roundTrip(_ value: Any) throws -> Any? {
    let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let data = try #require(transformer.reverseTransformedValue(value) as? Data)
    return transformer.transformedValue(data)
  }

  @Test("[coredata-store-2] plain values survive a round trip")
  func plainValuesSurviveARoundTrip() throws {
    let id = UUID()
    #expect(try roundTrip(["a", "b"]) as? [String] == ["a", "b"])
    #expect(try roundTrip(["k": [1, 2]]) as? [String: [Int]] == ["k": [1, 2]])
    #expect(try roundTrip(Date(timeIntervalSinceReferenceDate: 5)) as? Date == Date(timeIntervalSinceReferenceDate: 5))
    #expect(try roundTrip("text") as? String == "text" && roundTrip(5) as? Int == 5 && roundTrip(id) as? UUID == id)
    #expect(try roundTrip(NSSet(array: ["x"])) as? Set<String> == ["x"])
    let transformer = NSSecureUnarchiveFromDataTransformer()
    #expect(transformer.transformedValue(nil) == nil)
    #expect(transformer.reverseTransformedValue(nil) == nil)
  }

  @Test("[coredata-store-2] a transformer reads only its own classes")
  func transformerReadsOnlyItsOwnClasses() throws {
    let color = try #require(ColorTransformer().reverseTransformedValue(TestColor("red")) as? Data)
    #expect((ColorTransformer().transformedValue(color) as? TestColor)?.name == "red")
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(color) == nil)
    let text = try #require(NSSecureUnarchiveFromDataTransformer().reverseTransformedValue("red") as? Data)
    #expect(ColorTransformer().transformedValue(text) == nil)
    let list = try NSKeyedArchiver.archivedData(withRootObject: [TestColor("red")], requiringSecureCoding: true)
    #expect(ColorTransformer().transformedValue(list) == nil)
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(list) == nil)
  }

  @Test("[coredata-store-2] setting a value of a class that is not allowed stops the process")
  func settingAValueOfAClass() async throws {
    let top = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(TestColor("red"))
      })
    let text = String(decoding: top.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Object of class TestColor is not among allowed top level class list ( "), "\(text)")
    await #expect(processExitsWith: .failure) { _ = ColorTransformer().reverseTransformedValue([TestColor("red")]) }
    await #expect(processExitsWith: .failure) {
      let attribute = BlogModel.attribute("color", .transformable)
      _ = StoredValue(TestColor("red"), of: attribute)
    }
  }

  @Test("a location is read from an archive of an earlier version, with the class in another module")
  func formerName() throws {
    final class LocationTransformer: NSSecureUnarchiveFromDataTransformer {
      override class var allowedTopLevelClasses: [AnyClass] { [CLLocation.self] }
    }
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.setClassName("CoreLocation.CLLocation", for: CLLocation.self)
    archiver.encode(CLLocation(latitude: 48.2, longitude: 16.4), forKey: NSKeyedArchiveRootObjectKey)
    let location = LocationTransformer().transformedValue(archiver.encodedData) as? CLLocation
    #expect(location?.coordinate.latitude == 48.2)
  }

  @Test("[coredata-store-2] data that is not an archive gives nil")
  func dataThatIsNotAnArchiveGives() throws {
    let transformer = NSSecureUnarchiveFromDataTransformer()
    let data = try #require(transformer.reverseTransformedValue(["k": [1, 2], "l": ["a"]]) as? Data)
    #expect(transformer.transformedValue(Data()) == nil)
    #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
    for length in stride(from: 0, to: data.count, by: 7) {
      #expect(transformer.transformedValue(data.prefix(length)) == nil)
    }
  }

  @Test("a transformer is found by its registered name or its class name")
  func transformerIsFoundByItsRegisteredName() throws {
    let name = NSValueTransformerName(rawValue: "Test color")
    let color = ColorTransformer()
    ValueTransformer.setValueTransformer(color, forName: name)
    #expect(ValueTransformer(forName: name) === color)
    #expect(ColorTransformer(forName: name) === color)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    let byClass = NSValueTransformerName(NSStringFromClass(ColorTransformer.self))
    #expect(ValueTransformer(forName: byClass) is ColorTransformer)
  }

  @Test("Apple's transformers for nil and booleans work")
  func applesTransformersForNilAndBooleansWork() {
    #expect(ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool == true)
    #expect(ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue(1) as? Bool == true)
    #expect(ValueTransformer(forName: .negateBooleanTransformerName)?.transformedValue(true) as? Bool == false)
    #expect(ValueTransformer().transformedValue(3) as? Int == 3)
  }
}

// Not private: an archive can name only classes that are visible in other files.
final class TestColor: NSObject, NSSecureCoding {
  let name: String

  init(_ name: String) { self.name = name }

  static var supportsSecureCoding: Bool { true }

  init?(coder: NSCoder) { name = coder.decodeObject(of: NSString.self, forKey: "name") as String? ?? "" }

  func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [TestColor.self] }
}
