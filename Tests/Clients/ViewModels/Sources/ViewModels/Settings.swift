import CloudKit

/// Values that are stored between two starts.
enum Settings {
  static func keep(_ token: CKServerChangeToken?) throws {
    let archive = try token.map { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
    UserDefaults.standard.setValue(archive, forKey: "token")
    UserDefaults.standard.synchronize()
  }

  static var token: CKServerChangeToken? {
    UserDefaults.standard.data(forKey: "token").flatMap {
      try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: $0)
    }
  }
}
