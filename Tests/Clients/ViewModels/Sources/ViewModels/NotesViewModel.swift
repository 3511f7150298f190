import CloudKit
import Combine
import os.log

@MainActor
final class NotesViewModel: ObservableObject {
  @Published private(set) var notes: [Note] = []
  @Published var search = ""
  @Published private(set) var found: [String] = []
  @Published private(set) var error: String?
  @Published private(set) var isLoading = false

  /// Each value that is sent starts another fetch.
  let refresh = PassthroughSubject<Void, Never>()
  let account = CurrentValueSubject<String, Never>("")

  private let store: NoteStore
  private var cancellables = Set<AnyCancellable>()

  init(store: NoteStore) {
    self.store = store
    refresh
      .handleEvents(receiveOutput: { [weak self] in self?.isLoading = true })
      .map {
        store.notes().map { Result.success($0) }.catch { Just(Result<[Note], any Error>.failure($0)) }
      }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .sink { [weak self] result in self?.show(result) }
      .store(in: &cancellables)
    $notes.combineLatest($search.removeDuplicates())
      .map { notes, search in
        notes.map(\.text).filter { search.isEmpty || $0.contains(search) }.sorted()
      }
      .assign(to: &$found)
    NotificationCenter.default.publisher(for: .CKAccountChanged)
      .receive(on: RunLoop.main)
      .sink { [weak self] _ in self?.refresh.send() }
      .store(in: &cancellables)
  }

  private func show(_ result: Result<[Note], any Error>) {
    isLoading = false
    switch result {
    case .success(let notes): (self.notes, error) = (notes, nil)
    case .failure(let failure): error = failure.localizedDescription
    }
    os_log("%{public}d notes are shown", log: OSLog(subsystem: "com.example.ViewModels", category: "view"), notes.count)
  }
}
