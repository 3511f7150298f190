import Combine
import Foundation
import Testing

private class Base: ObservableObject {
  @Published var name = "a"
  @Published var list: [Int] = []
}

private final class Derived: Base {
  @Published var count = 0
}

/// A class without published properties.
private final class Bare: ObservableObject {
  var value = 0 { willSet { objectWillChange.send() } }
}

private final class Custom: ObservableObject {
  let objectWillChange = PassthroughSubject<String, Never>()
  @Published var value = 0
}

private final class Following: ObservableObject {
  @Published var value = 0
  @Published private(set) var double = 0

  init(_ source: some Publisher<Int, Never>) {
    source.assign(to: &$value)
    $value.map { $0 * 2 }.assign(to: &$double)
  }
}

@MainActor private final class ViewModel: ObservableObject {
  @Published var names: [String] = []
  private var bag: Set<AnyCancellable> = []

  init(_ names: some Publisher<[String], Never>) {
    names.sink { [weak self] in self?.names = $0 }.store(in: &bag)
  }
}

@Suite("Combine: observable objects")
struct ObservableObjectTests {
  @Test("objectWillChange sends before each change of a property, also of the superclass")
  func willChange() {
    let object = Derived()
    var seen: [String] = []
    let bag = object.objectWillChange.sink { seen.append("\(object.name) \(object.count) \(object.list)") }
    object.name = "b"
    object.count = 1
    object.list.append(7)
    object.name = "c"
    #expect(seen == ["a 0 []", "b 0 []", "b 1 []", "b 1 [7]"])
    bag.cancel()
    object.name = "d"
    #expect(seen.count == 4)
  }

  @Test("a property's publisher sends the current value, and each new one before it is set")
  func propertysPublisherSendsTheCurrentValue() {
    let object = Base()
    var seen: [String] = []
    let bag = object.$name.sink { seen.append("\(object.name) \($0)") }
    object.name = "b"
    object.name = "c"
    #expect(seen == ["a a", "a b", "b c"])
    #expect(object.name == "c")
    bag.cancel()
  }

  @Test("objects without published properties and with their own publisher send only explicitly")
  func objectsWithoutPublishedProperties() {
    let bare = Bare()
    let custom = Custom()
    var count = 0
    let bag = [
      bare.objectWillChange.sink { count += 1 }, custom.objectWillChange.sink { _ in count += 100 },
    ]
    bare.value = 1
    custom.value = 1
    #expect(count == 1)
    custom.objectWillChange.send("now")
    #expect(count == 101)
    withExtendedLifetime(bag) {}
  }

  @Test("assign(to: &$property) sets the property, announces the change, and ends with the object")
  func assign() {
    let source = CurrentValueSubject<Int, Never>(1)
    var cancelled = 0
    var object: Following? = Following(source.handleEvents(receiveCancel: { cancelled += 1 }))
    #expect(object?.value == 1)
    #expect(object?.double == 2)
    var changes = 0
    let bag = object?.objectWillChange.sink { changes += 1 }
    source.send(5)
    #expect(object?.value == 5)
    #expect(object?.double == 10)
    #expect(changes == 2)
    weak let gone = object
    object = nil
    #expect(gone == nil)
    #expect(cancelled == 1)
    source.send(6)
    withExtendedLifetime(bag) {}
  }

  @Test("a view model of the main actor receives values") @MainActor
  func mainActor() {
    let source = CurrentValueSubject<[String], Never>(["a"])
    let model = ViewModel(source)
    source.send(["a", "b"])
    #expect(model.names == ["a", "b"])
  }

  @Test("objects, subscribers and captured values are released with their last reference")
  func objectsSubscribersAndCapturedValues() {
    var ended = 0
    weak var object: Derived?
    weak var subject: PassthroughSubject<Int, Never>?
    do {
      let made = Derived()
      let source = PassthroughSubject<Int, Never>()
      (object, subject) = (made, source)
      var bag: Set<AnyCancellable> = []
      for _ in 0..<3 {
        let observer = ReleaseObserver { ended += 1 }
        made.objectWillChange.sink { withExtendedLifetime(observer) {} }.store(in: &bag)
        made.$name.dropFirst().sink { _ in withExtendedLifetime(observer) {} }.store(in: &bag)
        source.combineLatest(made.$count).flatMap { _ in Just(1) }.receive(on: ImmediateScheduler.shared)
          .sink { _ in withExtendedLifetime(observer) {} }.store(in: &bag)
        source.merge(with: source).zip(source).share().setFailureType(to: Failed.self).catch { _ in Empty() }
          .sink { _ in withExtendedLifetime(observer) {} }.store(in: &bag)
      }
      source.send(1)
      made.name = "b"
      made.count = 2
    }
    #expect(object == nil)
    #expect(subject == nil)
    #expect(ended == 3)
  }

  @Test("thousands of observed objects leave no state that a new object inherits")
  func manyObjects() {
    for round in 0..<5000 {
      let object = Derived()
      var count = 0
      let bag = object.objectWillChange.sink { count += 1 }
      object.count = round + 1
      #expect(count == 1)
      if round % 2 == 0 { bag.cancel() }
    }
  }

  @Test("a property set by several threads has the value that was sent last")
  func propertySetBySeveralThreads() {
    let object = Base()
    let recorder = object.$name.recorded()
    let shared = Shared(object)
    together(8) { thread in
      for value in 0..<500 { shared.value.name = "\(thread) \(value)" }
    }
    #expect(recorder.values.count == 4001)
    #expect(recorder.values.last == object.name)
  }

  @Test("deinit of a replaced value may set the property again")
  func releaseFromWithin() {
    final class Holder: ObservableObject { @Published var observer: ReleaseObserver? }
    let holder = Holder()
    let latest = CurrentValueSubject<ReleaseObserver?, Never>(nil)
    let bag = latest.combineLatest(holder.$observer).sink { _ in }
    var count = 0
    latest.send(
      ReleaseObserver {
        count += 1
        latest.send(nil)
      })
    holder.observer = ReleaseObserver {
      count += 1
      holder.observer = nil
    }
    holder.observer = nil
    latest.send(nil)
    #expect(count == 2)
    bag.cancel()
  }
}
