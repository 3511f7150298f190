/// Changes of visibility and permissions.
extension SyncDirector {
  mutating func share(on device: SyncDevice) throws {
    guard !hasLinked, !hasShared, device.isOnline, shares.count < 6 else { return }
    let zones = (observations[device.account] ?? [:]).keys.filter { $0.owner == device.account && shares[$0] == nil }
    guard let key = pick(zones.sorted().flatMap { keys("Post", of: device.account, in: $0) }) else { return }
    hasShared = true
    guard let answer = try ask(device, "shares", .share(key: key)), let zone = answer.zone else { return }
    shares[SyncZone(owner: device.account, name: zone)] = Share()
  }

  mutating func invite(on device: SyncDevice) throws {
    guard device.isOnline, let zone = pick(shares.keys.filter { $0.owner == device.account }.sorted()),
      let share = shares[zone]
    else { return }
    let others = Self.accounts.filter { $0 != device.account && !share.members.contains($0) }
    guard let account = pick(others) else { return }
    shares[zone]?.invited.insert(account)
    let mayWrite = number(2) == 0
    let answer = try ask(device, "invitations", .invite(zone: zone.name, account: account, mayWrite: mayWrite))
    if let url = answer?.url { shares[zone]?.url = url }
  }

  mutating func accept(on device: SyncDevice) throws {
    let zones = shares.filter { $0.value.invited.contains(device.account) && $0.value.url != nil }.keys.sorted()
    guard device.isOnline, let zone = pick(zones), let url = shares[zone]?.url else { return }
    let answer = try ask(device, "acceptances", .accept(url: url))
    if answer?.isDone != false { shares[zone]?.members.insert(device.account) }
  }

  /// An account loses a zone: it leaves the zone, or the zone's owner removes the account, ends the share or deletes
  /// the zone.
  mutating func lose(on device: SyncDevice) throws {
    guard !hasLost, !isVain, device.isOnline else { return }
    if number(3) == 0 {
      let zones = shares.filter { $0.value.members.contains(device.account) }.keys.sorted()
      guard let zone = pick(zones), let record = cloud.userRecord(of: zone.owner) else { return }
      hasLost = true
      truth.lost(deviceNames(of: [device.account]))
      shares[zone]?.members.remove(device.account)
      _ = try ask(device, "departures", .purge(SyncZone(owner: record, name: zone.name)))
      return
    }
    guard let zone = pick(shares.keys.filter { $0.owner == device.account }.sorted()), let share = shares[zone] else {
      return
    }
    hasLost = true
    switch number(3) {
    case 0:
      guard let member = pick(share.members.sorted()) else { return }
      truth.lost(deviceNames(of: [member]))
      shares[zone]?.members.remove(member)
      shares[zone]?.invited.remove(member)
      _ = try ask(device, "removals", .uninvite(zone: zone.name, account: member))
    case 1:
      truth.lost(deviceNames(of: share.members))
      shares[zone] = nil
      _ = try ask(device, "ended shares", .stop(zone: zone.name))
    default:
      truth.lost(deviceNames(of: share.members.union([device.account])))
      shares[zone] = nil
      let answer = try ask(device, "purges", .purge(SyncZone(owner: SyncCloud.own, name: zone.name)))
      truth.purged(zone, isCertain: answer?.isDone == true && !hasShared)
    }
  }

  /// The owner changes a participant's permission from read only to read-write or the reverse.
  mutating func permit(on device: SyncDevice) throws {
    let zones = shares.filter { $0.key.owner == device.account && !$0.value.members.isEmpty }.keys.sorted()
    guard !isVain, device.isOnline, let zone = pick(zones), let share = shares[zone],
      let member = pick(share.members.sorted())
    else { return }
    hasPermitted = true
    truth.lost(deviceNames(of: [member]))
    let mayWrite = share.readers.contains(member)
    _ = try ask(device, "permissions", .permit(zone: zone.name, account: member, mayWrite: mayWrite))
  }

  private func deviceNames(of accounts: Set<String>) -> Set<String> {
    Set(devices.filter { accounts.contains($0.account) }.map(\.name))
  }
}
