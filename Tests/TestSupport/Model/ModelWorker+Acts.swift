import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// The changes that a member makes to records and shares.
extension ModelWorker {
  func act(_ step: ModelStep, _ url: String?, _ answer: inout ModelAnswer) throws {
    switch step.action {
    case .save(let record, let parent, let text):
      let save = RecordSave(
        id: id(record, step.zone), type: "Note", fields: ["text": .string(text)], parent: parent.edit)
      answer.codes = try codes(try modify([save]))
    case .delete(let names):
      let request = ModifyRecordsRequest(scope: scope, deletes: names.map { id($0, step.zone) })
      answer.codes = try codes(try service.records.modifyRecords(request, by: caller))
    case .share(let root, let name, let open, let invited):
      var saves: [RecordSave] = []
      if let root { saves.append(RecordSave(id: id(root, step.zone), type: "Note")) }
      let people = try invited.sorted { $0.key < $1.key }.map { try participant($0.key, $0.value) }
      let share = ShareSave(
        root: root.map { ExactName($0) }, publicPermission: open.permission, participants: people)
      saves.append(RecordSave(id: id(name, step.zone), type: Record.shareType, share: share))
      let response = try modify(saves)
      answer.codes = try codes(response)
      answer.url = try? response.saves.last?.get().shareDetails?.url
    case .accept:
      answer.codes = [try code { _ = try service.sharing.acceptShare(url: url ?? "", by: caller) }]
    case .leaveZone:
      let request = ModifyZonesRequest(scope: scope, deletes: [zone(step.zone)])
      answer.codes = [try code { try service.zones.modifyZones(request, by: caller).deletes[0].get() }]
    case .invite(let share, let person, let access):
      answer.codes = [
        try edit(share, step.zone) { details in
          details.participants.append(try participant(person, access))
          return true
        }
      ]
    case .permit(let share, let person, let access):
      answer.codes = [
        try edit(share, step.zone) { details in
          guard let index = details.index(of: person) else { return false }
          details.participants[index].permission = access.permission
          return true
        }
      ]
    case .remove(let share, let person):
      answer.codes = [
        try edit(share, step.zone) { details in
          guard let index = details.index(of: person) else { return false }
          details.participants.remove(at: index)
          return true
        }
      ]
    case .open(let share, let access):
      answer.codes = [
        try edit(share, step.zone) { details in
          details.publicPermission = access.permission
          return true
        }
      ]
    }
  }

  private func modify(_ saves: [RecordSave]) throws -> ModifyRecordsResponse {
    try service.records.modifyRecords(
      ModifyRecordsRequest(scope: scope, saves: saves, policy: .changedKeys), by: caller)
  }

  private func codes(_ response: @autoclosure () throws -> ModifyRecordsResponse) throws -> [Int] {
    let response = try response()
    return try response.saves.map { result in try code { _ = try result.get() } }
      + response.deletes.map { result in try code { try result.get() } }
  }

  private func participant(_ person: String, _ access: ModelStep.Access) throws -> Participant {
    var participant = try service.sharing.participants(for: [.email("\(person)@example.com")], by: caller)[0].get()
    participant.permission = access.permission
    return participant
  }

  /// Reads the share, changes it and saves it. Starts over if another process changed the share in between.
  private func edit(
    _ name: String, _ zone: String, _ change: (inout ShareDetails) throws -> Bool
  ) throws -> Int {
    var share: Record?
    let request = FetchRecordsRequest(scope: scope, records: [id(name, zone)])
    func fetch() throws -> Int { try code { share = try service.records.fetchRecords(request, by: caller)[0].get() } }
    while true {
      let code = try fetch()
      guard code == ReferenceModel.Code.done, let before = share, var details = before.shareDetails else { return code }
      guard try change(&details) else { return ReferenceModel.Code.absent }
      let save = RecordSave(
        id: before.id, type: Record.shareType, changeTag: before.changeTag,
        share: ShareSave(
          root: nil, publicPermission: details.publicPermission, participants: details.participants))
      let outcome = try codes(try modify([save]))[0]
      if outcome == ReferenceModel.Code.done { return outcome }
      // A refusal counts only if the share is still as it was read.
      let now = try fetch()
      if now != ReferenceModel.Code.done { return now }
      if share?.changeTag == before.changeTag { return outcome }
    }
  }
}

extension ShareDetails {
  fileprivate func index(of person: String) -> Int? {
    participants.firstIndex { $0.identity.name?.given?.lowercased() == person }
  }
}

extension ModelStep.Access {
  fileprivate var permission: SharePermission {
    switch self {
    case .none: .none
    case .readOnly: .readOnly
    case .readWrite: .readWrite
    }
  }
}

extension ModelStep.Parent {
  fileprivate var edit: ParentEdit {
    switch self {
    case .keep: .keep
    case .clear: .clear
    case .below(let name): .set(ExactName(name), zone: nil)
    }
  }
}
