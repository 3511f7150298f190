/// What is left of a person's iCloud storage.
package enum AccountStorage: String, Sendable, CaseIterable {
  case available
  case full
}
