import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The difference between two versions of a record, as its files hold them. Sealed values are compared without their
/// keys, so that a value that was saved again counts as changed.
package struct RecordDifference: Sendable, Hashable {
  /// A part of the record that differs; nil where a version does not have it.
  package struct Part: Sendable, Hashable {
    package var key: String
    package var before: JSONValue?
    package var after: JSONValue?
  }

  package let name: String
  package let type: String
  /// The fields that differ, sorted by name. Each value is a field's dictionary.
  package let fields: [Part]
  /// Other members that differ, for example the parent and the participants of a share. If nothing but the version
  /// differs, as after a save of a child, the change tag.
  package let members: [Part]

  /// A nil version does not exist.
  package init(_ before: JSONObject?, _ after: JSONObject?) {
    let present = after ?? before ?? [:]
    name = present["recordName"]?.string ?? ""
    type = present["recordType"]?.string ?? ""
    let names = StoredRecord.difference(before, after)
    func parts(_ keys: [String], _ before: JSONObject?, _ after: JSONObject?) -> [Part] {
      keys.map { Part(key: $0, before: before?[$0], after: after?[$0]) }
    }
    fields = parts(names.fields, before?["fields"]?.object, after?["fields"]?.object)
    var members = parts(names.members, before, after)
    if let before, let after {
      let types = Part(key: "recordType", before: before["recordType"], after: after["recordType"])
      if types.before != types.after { members.insert(types, at: 0) }
      if fields.isEmpty, members.isEmpty {
        members.append(
          Part(key: "recordChangeTag", before: before["recordChangeTag"], after: after["recordChangeTag"]))
      }
    }
    self.members = members
  }
}
