import Combine
import Foundation
import Testing

@Suite("Combine: time and threads")
struct TimeTests {
  @Test("debounce waits for a pause, throttle limits the rate, delay retains the order")
  func debounceWaitsForAPauseThrottleLimits() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let debounced = subject.debounce(for: .milliseconds(300), scheduler: scheduler).recorded()
    let latest = subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).recorded()
    let first = subject.throttle(for: .seconds(1), scheduler: scheduler, latest: false).recorded()
    let delayed = subject.delay(for: 5, scheduler: scheduler).recorded()
    for value in 1...3 {
      subject.send(value)
      scheduler.advance(by: .milliseconds(200))
    }
    #expect(debounced.values == [])
    scheduler.advance(by: .milliseconds(100))
    #expect(debounced.values == [3])
    scheduler.advance(by: .milliseconds(300))
    #expect(latest.values == [1, 3])
    #expect(first.values == [1, 2])
    #expect(delayed.values == [])
    subject.send(4)
    subject.send(completion: .finished)
    scheduler.advance(by: .seconds(10))
    #expect(delayed.values == [1, 2, 3, 4])
    #expect(delayed.isFinished)
    #expect(debounced.values == [3])
    #expect(debounced.isFinished)
    #expect(latest.isFinished)
    #expect(first.isFinished)
  }

  @Test("a request delivers nothing itself; the scheduler does")
  func requestDeliversNothing() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorders = [
      subject.receive(on: scheduler).eraseToAnyPublisher(),
      subject.debounce(for: 1, scheduler: scheduler).eraseToAnyPublisher(),
      subject.throttle(for: 1, scheduler: scheduler, latest: true).eraseToAnyPublisher(),
      subject.delay(for: 1, scheduler: scheduler).eraseToAnyPublisher(),
    ].map { $0.recorded(first: .max(1)) }
    subject.send(1)
    for recorder in recorders { recorder.request(.max(1)) }
    #expect(recorders.allSatisfy { $0.values == [] })
    scheduler.advance(by: 1)
    #expect(recorders.allSatisfy { $0.values == [1] })
    subject.send(completion: .finished)
    for recorder in recorders { recorder.request(.max(1)) }
    #expect(recorders.allSatisfy { $0.ends.isEmpty })
    scheduler.advance(by: 1)
    #expect(recorders.allSatisfy { $0.isFinished })
  }

  @Test("values without demand, from a publisher that ignores demand, are delivered on the scheduler as well")
  func publisherThatIgnoresDemand() {
    struct Eager: Publisher {
      typealias Output = Int
      typealias Failure = Never
      func receive(subscriber: some Subscriber<Int, Never>) {
        subscriber.receive(subscription: Subscriptions.empty)
        for value in 1...2 { _ = subscriber.receive(value) }
        subscriber.receive(completion: .finished)
      }
    }
    let scheduler = TestScheduler()
    let recorder = Eager().receive(on: scheduler).recorded(first: .max(1))
    #expect(recorder.values == [])
    scheduler.advance(by: 0)
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    scheduler.advance(by: 0)
    #expect(recorder.values == [1, 2])
    #expect(recorder.isFinished)
  }

  @Test("a cancelled debounce sends nothing more")
  func cancelledDebounce() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.debounce(for: 1, scheduler: scheduler).recorded()
    subject.send(1)
    recorder.cancel()
    scheduler.advance(by: 2)
    #expect(recorder.values == [])
    #expect(recorder.ends.isEmpty)
  }

  @Test(
    "receive(on:) retains the order and delivers one value at a time, on queues of any kind",
    arguments: ["serial", "many", "operations"])
  func receiveOn(kind: String) async {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    let done = DispatchSemaphore(value: 0)
    let watched = subject.eraseToAnyPublisher()
    let bag: AnyCancellable
    func listen(_ publisher: some Publisher<Int, Never>) -> AnyCancellable {
      publisher.sink(
        receiveCompletion: {
          recorder.receive(completion: $0)
          done.signal()
        }, receiveValue: { _ = recorder.receive($0) })
    }
    switch kind {
    case "serial": bag = listen(watched.receive(on: DispatchQueue(label: "serial")))
    case "many": bag = listen(watched.receive(on: DispatchQueue(label: "many", attributes: .concurrent)))
    default: bag = listen(watched.receive(on: OperationQueue()))
    }
    for value in 0..<1000 { subject.send(value) }
    subject.send(completion: .finished)
    let waiter = Shared(done)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        waiter.value.wait()
        continuation.resume()
      }
    }
    #expect(recorder.values == Array(0..<1000))
    #expect(recorder.isFinished)
    bag.cancel()
  }

  @Test("work of the main run loop is executed without a running run loop: receive(on:), timers")
  func mainRunLoop() async {
    let subject = CurrentValueSubject<Int, Never>(1)
    for await value in subject.receive(on: RunLoop.main).values {
      #expect(value == 1)
      break
    }
    let ticks = Timer.publish(every: 0.001, on: .main, in: .common).autoconnect()
    var count = 0
    for await _ in ticks.values {
      count += 1
      if count == 3 { break }
    }
    #expect(count == 3)
  }

  @Test("for await gets each value and ends with the publisher or with a cancelled task")
  func forAwaitGetsEachValueAndEnds() async throws {
    var heard: [Int] = []
    for await value in (1...3).publisher.values { heard.append(value) }
    #expect(heard == [1, 2, 3])
    await #expect(throws: Failed.self) {
      for try await _ in Just(1).tryMap({ _ in throw Failed() }).values {}
    }
    let task = Task { for await _ in PassthroughSubject<Int, Never>().values {} }
    task.cancel()
    await task.value
  }

  @Test("a notification publisher sends while it has a subscriber")
  func notificationPublisherSends() {
    let center = NotificationCenter()
    let name = Notification.Name("test")
    var heard: [Int] = []
    let bag = center.publisher(for: name).compactMap { $0.userInfo?["value"] as? Int }.sink { heard.append($0) }
    center.post(name: name, object: nil, userInfo: ["value": 1])
    center.post(name: Notification.Name("other"), object: nil, userInfo: ["value": 2])
    bag.cancel()
    center.post(name: name, object: nil, userInfo: ["value": 3])
    #expect(heard == [1])
  }

  @Test("with many sending threads each subscriber gets every value, one at a time")
  func manyThreads() {
    let subject = PassthroughSubject<Int, Never>()
    let other = PassthroughSubject<Int, Never>()
    let both = (subject.recorded(), subject.merge(with: other).combineLatest(Just(1)).recorded())
    var busy = false
    var overlaps = 0
    var heard = 0
    let bag = subject.flatMap { Just($0) }.sink { _ in
      if busy { overlaps += 1 }
      busy = true
      heard += 1
      busy = false
    }
    let shared = Shared((subject, other))
    together(8) { thread in
      for value in 0..<2000 {
        shared.value.0.send(value)
        if thread == 0 { shared.value.1.send(value) }
      }
    }
    #expect(both.0.values.count == 16_000)
    #expect(both.1.values.count == 18_000)
    #expect(heard == 16_000)
    #expect(overlaps == 0)
    bag.cancel()
  }

  @Test("subscribers subscribe and cancel while other threads send")
  func comingAndGoing() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let shared = Shared(subject)
    together(8) { thread in
      for value in 0..<500 {
        if thread % 2 == 0 {
          shared.value.send(value)
        } else {
          var last: Int?
          let bag = shared.value.map { $0 }.sink { last = $0 }
          bag.cancel()
          #expect(last != nil)
        }
      }
    }
    let late = subject.recorded()
    #expect(late.values == [subject.value])
  }
}
