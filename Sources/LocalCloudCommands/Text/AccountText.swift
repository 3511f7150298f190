import LocalCloudModel

/// Formats accounts for people.
enum AccountText {
  static func table(_ accounts: [Account]) -> Table {
    Table(
      ["account", "status", "person", "e-mail", "phone", "user record"],
      rows: accounts.map { account in
        [
          account.name, account.status.name, account.person.text ?? "", account.emails.joined(separator: ", "),
          account.phones.joined(separator: ", "), account.userRecordName,
        ]
      })
  }

  static func details(_ account: Account) -> StyledText {
    var list = DetailList("account \(account.name, .bold)")
    list.add("status", account.status.name)
    list.add("storage", account.storage.rawValue)
    list.add("person", account.person.text)
    for email in account.emails { list.add("e-mail", email) }
    for phone in account.phones { list.add("phone", phone) }
    list.add("user record", account.userRecordName)
    for (container, environments) in account.roles.sorted(by: { $0.key < $1.key }) {
      for (environment, roles) in environments.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        list.add("roles", "\(roles.sorted().joined(separator: ", ")) in \(container), \(environment.rawValue)")
      }
    }
    for (container, key) in account.keys.sorted(by: { $0.key < $1.key }) {
      list.add("keys", "generation \(key.generation) in \(container)" + (key.publicKey == nil ? ", none made yet" : ""))
    }
    return list.text
  }
}
