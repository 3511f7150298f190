import CoreData
import Foundation
import Synchronization
import Testing

/// A recorder of calls from any thread.
private final class Calls: Sendable {
  private let texts = Mutex<[String]>([])

  func note(_ text: String) { texts.withLock { $0.append(text) } }

  /// The calls since the last time, sorted, since a notification center calls observers in any order.
  func take() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts.sorted()
    }
  }
}

/// Methods as `#selector` names them; the selectors have the form that the plugin writes.
private class Receiver: NSObject {
  let calls: Calls

  init(_ calls: Calls) { self.calls = calls }

  deinit { calls.note("gone") }

  func swift(_ notification: Notification) { calls.note("swift \(notification.name.rawValue)") }
  func foundation(_ notification: NSNotification) { calls.note("foundation \(notification.name.rawValue)") }
  func any(_ sender: Any?) { calls.note("any") }
  func none() { calls.note("none") }
  func tick(_ timer: Timer) { calls.note("tick \(timer.userInfo as? Int ?? 0)") }
  func answer(_ text: String) -> NSString { "\(text)!" as NSString }

  static let swift = Selector("swift:", of: Receiver.self, { $0.swift($1) })
  static let foundation = Selector("foundation:", of: Receiver.self, { $0.foundation($1) })
  static let any = Selector("any:", of: Receiver.self, { $0.any($1) })
  static let none = Selector("none", of: Receiver.self, { $0.none() })
  static let tick = Selector("tick:", of: Receiver.self, { $0.tick($1) })
  static let answer = Selector("answer:", of: Receiver.self, { $0.answer($1) })
}

/// A method of a class.
private final class ClassReceiver {
  static let calls = Calls()

  class func all(_ notification: Notification) { calls.note("all") }

  static let all = Selector("all:", of: ClassReceiver.Type.self, { $0.all($1) })
}

@MainActor
private final class MainReceiver {
  nonisolated let calls: Calls

  nonisolated init(_ calls: Calls) { self.calls = calls }

  func bound(_ notification: Notification) { calls.note("bound") }

  nonisolated static let bound = Selector("bound:", of: MainReceiver.self, { $0.bound($1) })
}

@Suite("Selectors and Foundation's calls by selector")
struct SelectorTests {
  private let calls = Calls()
  private let centre = NotificationCenter()
  private let name = Notification.Name("a")

  @Test("selectors are equal by name and have it as their description")
  func selectorsAreEqualByName() {
    #expect(Receiver.swift == Selector("swift:"))
    #expect(Receiver.swift != "swift")
    #expect(NSStringFromSelector(Receiver.any) == "any:")
    #expect("\(NSSelectorFromString("x"))" == "x")
    #expect(Set([Receiver.none, Selector("none")]).count == 1)
  }

  @Test("a method is called with the arguments that it declares")
  func methodIsCalledWithTheArguments() {
    let receiver = Receiver(calls)
    for selector in [Receiver.swift, Receiver.foundation, Receiver.any, Receiver.none] {
      centre.addObserver(receiver, selector: selector, name: name, object: nil)
    }
    centre.post(name: name, object: nil)
    #expect(calls.take() == ["any", "foundation a", "none", "swift a"])
    centre.post(name: Notification.Name("b"), object: nil)
    #expect(calls.take() == [])
  }

  @Test("an observer receives notifications of one object, of all objects, or of all names")
  func observerReceivesNotificationsOfOneObject() {
    let (receiver, one, other) = (Receiver(calls), NSObject(), NSObject())
    centre.addObserver(receiver, selector: Receiver.swift, name: nil, object: one)
    centre.post(name: name, object: one)
    centre.post(name: name, object: other)
    centre.post(name: name, object: nil)
    #expect(calls.take() == ["swift a"])
  }

  @Test("a notification center does not retain observers; they need not be removed")
  func notificationCenterDoesNotRetainObservers() {
    var receiver: Receiver? = Receiver(calls)
    if let receiver { centre.addObserver(receiver, selector: Receiver.none, name: name, object: nil) }
    centre.post(name: name, object: nil)
    #expect(calls.take() == ["none"])
    receiver = nil
    #expect(calls.take() == ["gone"])
    centre.post(name: name, object: nil)
    #expect(calls.take() == [])
    // Many observers that no code removes and that no later notification finds.
    for _ in 0..<1000 { centre.addObserver(Receiver(calls), selector: Receiver.none, name: name, object: nil) }
    #expect(calls.take().count == 1000)
  }

  @Test("an observer is removed by name, by object, or completely")
  func observerIsRemovedByNameByObject() {
    let (receiver, one) = (Receiver(calls), NSObject())
    let all = {
      centre.addObserver(receiver, selector: Receiver.swift, name: name, object: nil)
      centre.addObserver(receiver, selector: Receiver.none, name: nil, object: one)
    }
    all()
    centre.removeObserver(receiver, name: name, object: nil)
    centre.post(name: name, object: one)
    #expect(calls.take() == ["none"])
    centre.removeObserver(receiver, name: nil, object: one)
    centre.post(name: name, object: one)
    #expect(calls.take() == [])
    all()
    centre.removeObserver(receiver)
    centre.post(name: name, object: one)
    #expect(calls.take() == [])
  }

  @Test("an observer with a block is removed by its token")
  func observerWithABlockIsRemoved() {
    let token = centre.addObserver(forName: name, object: nil, queue: nil) { [calls] _ in calls.note("block") }
    centre.post(name: name, object: nil)
    #expect(calls.take() == ["block"])
    centre.removeObserver(token)
    centre.post(name: name, object: nil)
    #expect(calls.take() == [])
  }

  @Test("a class observes with a class method")
  func classObservesWithAClassMethod() {
    centre.addObserver(ClassReceiver.self, selector: ClassReceiver.all, name: name, object: nil)
    centre.post(name: name, object: nil)
    #expect(ClassReceiver.calls.take() == ["all"])
    centre.removeObserver(ClassReceiver.self)
    centre.post(name: name, object: nil)
    #expect(ClassReceiver.calls.take() == [])
  }

  @Test("methods are called on the posting thread")
  func methodsAreCalledOnThePostingThread() async {
    let receiver = MainReceiver(calls)
    centre.addObserver(receiver, selector: MainReceiver.bound, name: name, object: nil)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [centre, name] in
        centre.post(name: name, object: nil)
        continuation.resume()
      }
    }
    #expect(calls.take() == ["bound"])
  }

  @Test("an observer's deinit may call the notification center")
  func observersDeinitMayCallTheNotificationCenter() {
    final class Leaving {
      let centre: NotificationCenter
      init(_ centre: NotificationCenter) {
        self.centre = centre
        centre.addObserver(
          self, selector: Selector("f", of: Leaving.self, { $0.f() }), name: Notification.Name("a"), object: nil)
      }
      deinit { centre.removeObserver(self) }
      func f() {}
    }
    for _ in 0..<200 { _ = Leaving(centre) }
    centre.post(name: name, object: nil)
  }

  @Test("a timer retains its target until it is invalid, and has userInfo")
  func timerRetainsItsTarget() {
    let timer = Timer(
      timeInterval: 0.01, target: Receiver(calls), selector: Receiver.tick, userInfo: 7, repeats: true)
    RunLoop.current.add(timer, forMode: .default)
    let deadline = Date(timeIntervalSinceNow: 10)
    var seen: [String] = []
    while seen.isEmpty, Date() < deadline {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
      seen = calls.take()
    }
    #expect(seen.first == "tick 7")
    #expect(timer.userInfo as? Int == 7)
    #expect(!calls.take().contains("gone"))
    timer.invalidate()
    #expect(calls.take() == ["gone"])
    #expect(timer.userInfo == nil)
  }

  @Test("a timer that does not repeat releases its target after it has fired")
  func oneShot() {
    _ = Timer.scheduledTimer(
      timeInterval: 0.01, target: Receiver(calls), selector: Receiver.none, userInfo: nil, repeats: false)
    #expect(calls.take() == [])
    let deadline = Date(timeIntervalSinceNow: 10)
    var seen: [String] = []
    while seen.count < 2, Date() < deadline {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
      seen += calls.take()
    }
    #expect(seen.sorted() == ["gone", "none"])
  }

  @Test("an object performs a method by its selector")
  func objectPerformsAMethodByItsSelector() {
    let receiver = Receiver(calls)
    #expect(receiver.perform(Receiver.none) == nil)
    #expect(calls.take() == ["none"])
    #expect(receiver.perform(Receiver.answer, with: "yes")?.takeRetainedValue() as? NSString == "yes!")
    #expect(autoreleasepool { 3 } == 3)
  }
}
