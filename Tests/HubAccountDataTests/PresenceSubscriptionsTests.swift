import HubAccountData
import HubEngine
import Testing

/// The notifications of changed presence: once a second for each watcher, and only of whom they may see.
final class PresenceSubscriptionsTests {
    /// People whose presence the test sets.
    private struct House: PeopleSource {
        var people: [Handle: Presence] = [:]
        var hidden: Set<String> = []
        var changes: [Handle: Instant] = [:]

        func person(with handle: Handle) -> (description: PersonDescription, changesAt: Instant?)? {
            people[handle.key].map {
                (PersonDescription(name: handle.key.value, presence: $0), changes[handle.key])
            }
        }

        func maySee(_ handle: Handle, _ watcher: SessionID) -> Bool {
            !hidden.contains("\(watcher.index) \(handle.key.value)")
        }
    }

    private var house = House()
    private var subscriptions = PresenceSubscriptions()
    private var now = Instant(nanoseconds: 0)

    private let watcher = SessionID(index: 1, generation: 0)
    private let other = SessionID(index: 2, generation: 0)

    private func set(_ name: String, _ presence: Presence, causedBy cause: SessionID? = nil) {
        house.people[.generic(name)] = presence
        subscriptions.mark(.generic(name), causedBy: cause)
    }

    private func watch(_ names: String..., by session: SessionID? = nil) throws -> [Presence] {
        try subscriptions.subscribe(session ?? watcher, to: names.map { .generic($0) }, on: now, from: house)
            .map(\.presence)
    }

    /// Returns what is sent now: the watcher's slot, and the people with their presence.
    private func sent() -> [String] {
        subscriptions.update(at: now, on: now, from: house).flatMap { update in
            update.people.map { "\(update.watcher.index): \($0.handle.value) \($0.presence)" }
        }
    }

    /// Advances the clock and returns what is sent on the way.
    private func advance(by duration: Duration) -> [String] {
        let end = now + duration
        var all: [String] = []
        while let due = subscriptions.nextDeadline({ $0 }), due <= end {
            now = max(now, due)
            all += sent()
        }
        now = end
        return all
    }

    @Test func `a subscription answers with each handle in order, nobody and the invisible alike`() throws {
        house.people = [.generic("bob"): .free, .generic("carol"): .onCall]
        house.hidden = ["1 carol"]
        let handles = ["nobody", "bob", "carol", "bob"].map { Handle.generic($0) }
        let people = try subscriptions.subscribe(watcher, to: handles, on: now, from: house)
        #expect(people.map(\.handle) == handles)
        #expect(people.map(\.name) == [nil, "bob", nil, "bob"])
        #expect(people.map(\.presence) == [.unknown, .free, .unknown, .free])
        #expect(subscriptions.count == 3)
        #expect(sent() == [])
    }

    @Test func `the first change is sent at once, the next ones together a second later`() throws {
        house.people = [.generic("bob"): .free, .generic("carol"): .free]
        #expect(try watch("bob", "carol") == [.free, .free])
        set("bob", .onCall)
        #expect(sent() == ["1: bob onCall"])
        set("carol", .away)
        set("bob", .free)
        #expect(sent() == [])
        #expect(advance(by: .milliseconds(999)) == [])
        #expect(advance(by: .milliseconds(1)) == ["1: carol away", "1: bob free"])
        #expect(advance(by: .seconds(10)) == [])
    }

    @Test func `a state that is gone before it was told is not told`() throws {
        house.people = [.generic("bob"): .free]
        #expect(try watch("bob") == [.free])
        set("bob", .onCall)
        #expect(sent() == ["1: bob onCall"])
        set("bob", .free)
        _ = sent()
        set("bob", .onCall)
        #expect(advance(by: .seconds(5)) == [])
    }

    @Test func `a block is told once as unknown, and its end as the present state`() throws {
        house.people = [.generic("bob"): .free]
        #expect(try watch("bob") == [.free])
        house.hidden = ["1 bob"]
        subscriptions.mark(.generic("bob"), changesPermission: true)
        #expect(sent() == ["1: bob unknown"])
        set("bob", .onCall)
        #expect(advance(by: .seconds(5)) == [])
        house.hidden = []
        subscriptions.mark(.generic("bob"), changesPermission: true)
        #expect(advance(by: .seconds(5)) == ["1: bob onCall"])
    }

    @Test func `the permission is checked when the notification is made`() throws {
        house.people = [.generic("bob"): .free, .generic("carol"): .free]
        _ = try watch("bob", "carol")
        set("carol", .onCall)
        _ = sent()
        set("bob", .onCall)
        house.hidden = ["1 bob"]
        #expect(advance(by: .seconds(1)) == ["1: bob unknown"])
    }

    @Test func `handles of one person in several spellings are told as the watcher spelled them`() throws {
        let (first, second) = (Handle(type: .phoneNumber, value: "+49 30"), Handle(type: .phoneNumber, value: "4930"))
        house.people = [first.key: .free]
        _ = try subscriptions.subscribe(watcher, to: [first, second], on: now, from: house)
        house.people = [first.key: .away]
        subscriptions.mark(first)
        #expect(sent() == ["1: +49 30 away", "1: 4930 away"])
    }

    @Test func `a list replaces the one before, and an empty one ends the subscription`() throws {
        house.people = [.generic("bob"): .free, .generic("carol"): .free, .generic("dan"): .free]
        _ = try watch("bob", "carol")
        _ = try watch("bob", by: other)
        _ = try watch("carol", "dan")
        set("bob", .onCall)
        set("dan", .onCall)
        #expect(sent().sorted() == ["1: dan onCall", "2: bob onCall"])
        _ = try watch()
        set("dan", .free)
        #expect(advance(by: .seconds(5)) == [])
        subscriptions.remove(other)
        #expect(subscriptions.isEmpty)
        #expect(subscriptions.nextDeadline { $0 } == nil)
    }

    @Test func `nothing is sent while the connection is lost, and the present state afterwards`() throws {
        house.people = [.generic("bob"): .free, .generic("carol"): .free]
        _ = try watch("bob", "carol")
        subscriptions.pause(watcher)
        set("bob", .onCall)
        set("carol", .onCall)
        #expect(advance(by: .seconds(5)) == [])
        set("carol", .free)
        #expect(advance(by: .seconds(5)) == [])
        subscriptions.resume(watcher)
        #expect(sent() == ["1: bob onCall"])
    }

    @Test func `quiet hours change the presence at their minute, without any event`() throws {
        let end = Instant(nanoseconds: 7 * 60_000_000_000)
        house.people = [.generic("bob"): .doNotDisturb(until: end)]
        house.changes = [.generic("bob"): end]
        #expect(try watch("bob") == [.doNotDisturb(until: end)])
        #expect(sent() == [])
        #expect(subscriptions.nextDeadline { $0 } == end)
        house.people = [.generic("bob"): .free]
        house.changes = [:]
        #expect(advance(by: .seconds(419)) == [])
        #expect(advance(by: .seconds(1)) == ["1: bob free"])
    }

    @Test func `quiet hours far away are looked at four times an hour, for a clock that is set`() throws {
        house.people = [.generic("bob"): .free]
        house.changes = [.generic("bob"): Instant(nanoseconds: 100_000_000_000_000)]
        _ = try watch("bob")
        house.people = [.generic("bob"): .doNotDisturb(until: nil)]
        #expect(advance(by: .seconds(899)) == [])
        #expect(advance(by: .seconds(1)) == ["1: bob doNotDisturb(until: nil)"])
    }

    @Test func `a change of thousands is sent in parts, with pauses`() throws {
        let names = (0..<1_000).map { "p\($0)" }
        for name in names { house.people[.generic(name)] = .free }
        for slot in 0..<10 {
            let handles = names[(slot * 100)..<(slot * 100 + 100)].map { Handle.generic($0) }
            let session = SessionID(index: UInt32(slot), generation: 0)
            _ = try subscriptions.subscribe(session, to: handles, on: now, from: house)
        }
        for name in names { set(name, .offline) }
        let first = sent()
        #expect((1...256).contains(first.count))
        #expect(subscriptions.nextDeadline { $0 } == now + .milliseconds(5))
        #expect(Set(first + advance(by: .seconds(3))).count == 1_000)
    }

    @Test func `a notification has a limited size, and the rest follows a second later`() throws {
        let names = (0..<500).map { "\($0) \(String(repeating: "x", count: 200))" }
        for name in names { house.people[.generic(name)] = .free }
        _ = try subscriptions.subscribe(watcher, to: names.map { .generic($0) }, on: now, from: house)
        for name in names { set(name, .offline) }
        var sizes: [Int] = []
        for _ in 0..<20 {
            let updates = subscriptions.update(at: now, on: now, from: house)
            #expect(updates.count <= 1)
            sizes += updates.map(\.people.count)
            now = now + .seconds(1)
        }
        #expect(sizes.reduce(0, +) == 500)
        #expect(sizes.allSatisfy { $0 * 500 <= 33_500 }, "\(sizes)")
    }

    @Test func `each notified person is charged to the cause of the last change`() throws {
        house.people = [.generic("bob"): .free, .generic("carol"): .free]
        _ = try watch("bob", "carol")
        set("bob", .onCall, causedBy: other)
        set("carol", .onCall)
        let updates = subscriptions.update(at: now, on: now, from: house)
        #expect(updates.flatMap(\.causes) == [other])
    }

    @Test func `all watched handles together are limited, and the former list stays when they are too large`()
        throws
    {
        var limits = PresenceLimits()
        limits.maximumHandleBytes = 8
        subscriptions = PresenceSubscriptions(limits: limits)
        house.people = [.generic("bob"): .free]
        _ = try watch("bob")
        _ = try watch("bob", by: other)
        let refused = #expect(throws: AccountDataError.self) { try watch("bob", "carol1") }
        #expect(refused?.code == .tooMany)
        set("bob", .onCall)
        #expect(sent() == ["1: bob onCall", "2: bob onCall"])
        _ = try watch("carol")
        #expect(subscriptions.count == 2)
    }
}
