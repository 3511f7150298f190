import LocalCloudModel

/// Formats the metadata of a share's link for people.
struct MetadataText {
  let people: People

  func details(_ metadata: ShareMetadata) -> StyledText {
    let share = metadata.share
    var list = DetailList("\(share.fields["cloudkit.title"]?.text ?? share.id.name.string, .bold)")
    list.add("owner", owner(metadata.owner))
    list.add("zone", metadata.root == nil ? "\(share.id.zone.name), all of it" : share.id.zone.name.string)
    list.add("root", metadata.root?.name.string)
    list.add("container", metadata.container)
    list.add("role", metadata.role.text)
    list.add("status", metadata.status.text)
    list.add("permission", metadata.permission.text)
    return list.text
  }

  /// The account, and the person's name if it is known.
  private func owner(_ owner: UserIdentity) -> String {
    let account = people.name(of: owner.userRecordName)
    return owner.name?.text.map { "\(account) (\($0))" } ?? account
  }
}
