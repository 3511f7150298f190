// swift-format-ignore-file
// Apple's sample code from "Get the most out of CloudKit Sharing", as it was shown. The lines of the samples are
// unchanged, and are compiled in Swift 5 and Swift 6 mode. The added declarations around them are indented.

import CloudKit

extension SharingApp {

  // 1:58 - Create a new Contact record

// Create a new Contact record

func addContact(name: String, phoneNumber: String) async throws {
    let id = CKRecord.ID(zoneID: recordZone.zoneID)
    let contactRecord = CKRecord(recordType: "Contact", recordID: id)
    contactRecord["name"] = name
    contactRecord["phoneNumber"] = phoneNumber
    try await privateCloudDatabase.save(contactRecord)
}

  // 4:09 - Preparing a CKShare

// Preparing a CKShare

func createShare(contactRecord: CKRecord) async throws -> CKShare {
    let share = CKShare(rootRecord: contactRecord)

    try await privateCloudDatabase.modifyRecords(
        saving: [contactRecord, share], 
        deleting: []
    )

    return share
}

  // 6:27 - Processing an accepted share invitation

// Processing a user’s acceptance of a share invitation

func application(
    _ application: UIApplication,
    userDidAcceptCloudKitShareWith shareMetadata: CKShare.Metadata
) {
    let container = CKContainer(identifier: shareMetadata.containerIdentifier)
    Task {
        do {
            try await container.accept(shareMetadata)
        } catch {
            // Handle errors that may occur
        }
    }
}

  // 7:24 - Fetching shared records

// Fetching records shared with the current iCloud user

func fetchSharedContacts(in zone: CKRecordZone) async throws {
    var changeToken: CKServerChangeToken? = nil
    var moreChangesComing = true
    while moreChangesComing {
        let changes = try await sharedCloudDatabase.recordZoneChanges(
            inZoneWith: zone.zoneID, 
            since: changeToken
        )
        // Process changes as needed (modifications and deletions)
        processChanges(changes)
        moreChangesComing = changes.moreComing
        changeToken = changes.changeToken
    }
}

  // 9:16 - Search: Phone Number
  func searchByPhoneNumber() async throws -> CKShare.Participant {

// Search by phone number

let phoneNumber = "417-555-9311"
let participant = try await container.shareParticipant(forPhoneNumber: phoneNumber)

    return participant
  }

  // 9:16 - Search: Email Address
  func searchByEmailAddress() async throws -> CKShare.Participant {

// Search by email address

let emailAddress = "dave_knox@icloud.com"
let participant = try await container.shareParticipant(forEmailAddress: emailAddress)

    return participant
  }

  // 9:16 - Search: Record ID
  func search(byUserRecordID recordID: CKRecord.ID) async throws -> CKShare.Participant {

// Search by user record ID

let participant = try await container.shareParticipant(forUserRecordID: recordID)

    return participant
  }

  // 9:32 - Add participant to a share

// Add participant to existing CKShare record

func addParticipant(_ participant: CKShare.Participant, to share: CKShare) async throws {
    participant.permission = .readWrite

    share.addParticipant(participant)
    try await privateCloudDatabase.save(share)
}

  // 9:47 - Confirm invitation acceptance

// Fetch CKShare.Metadata and confirm accepting share from a given URL

func confirmShareParticipation(from url: URL) async throws {
    let shareMetadata = try await container.shareMetadata(for: url)
    try await container.accept(shareMetadata)
}

  // 11:14 - Share an entire record zone

// Create a CKShare sharing an entire record zone

func createAndSaveShare(for zone: CKRecordZone) async throws -> CKShare {
    let share = CKShare(recordZoneID: zone.zoneID)
    try await privateCloudDatabase.save(share)

    if share.recordID.recordName == CKRecordNameZoneWideShare {
        // This is managing a shared record zone
    }

    return share
}

}
