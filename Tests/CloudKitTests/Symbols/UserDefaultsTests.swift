import CloudKit
import Foundation
import Testing

@Suite("UserDefaults with CloudKit imported")
struct UserDefaultsTests {
  @Test("UserDefaults.setValue(_:forKey:) sets, replaces and removes a value")
  func setValue() throws {
    let suite = "LocalCloudKit.UserDefaultsTests"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    defaults.setValue(Data("token".utf8), forKey: "token")
    defaults.setValue(3, forKey: "count")
    #expect(defaults.data(forKey: "token") == Data("token".utf8))
    #expect(defaults.integer(forKey: "count") == 3)
    defaults.setValue("three", forKey: "count")
    #expect(defaults.string(forKey: "count") == "three")
    defaults.setValue(nil, forKey: "token")
    #expect(defaults.object(forKey: "token") == nil)
    #expect(defaults.string(forKey: "count") == "three")
  }
}
