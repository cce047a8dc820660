import HubAccountData
import HubEngine
import Testing

/// The list of the last calls (CK-71).
struct RecentsListTests {
    private var world = MemoryWorld { $0.maximumRecents = 10 }

    @Test mutating func `the newest entries come first, in pages (CK-71)`() throws {
        let ids = (1...7).map { _ in world.addRecent() }
        #expect(try world.recents().map(\.call.id) == ids.reversed())
        let first = try world.recents(limit: 3)
        #expect(first.map(\.call.id) == [ids[6], ids[5], ids[4]])
        let second = try world.recents(limit: 3, before: ids[4])
        #expect(second.map(\.call.id) == [ids[3], ids[2], ids[1]])
        #expect(try world.recents(limit: 3, before: ids[1]).map(\.call.id) == [ids[0]])
        #expect(try world.recents(limit: 3, before: ids[0]).isEmpty)
    }

    @Test mutating func `a page cannot start at a missing entry (CK-71)`() {
        world.addRecent()
        let stranger = RecentUUID(high: 1, low: 1)
        #expect(world.refusal(.listRecents(limit: nil, before: stranger)) == .notFound)
    }

    @Test mutating func `the oldest entries are removed, by count and by size (CK-71)`() throws {
        let ids = (1...14).map { _ in world.addRecent() }
        #expect(try world.recents().map(\.call.id) == ids.suffix(10).reversed())
        world.accountData.limits.maximumListBytes = 3_000
        for _ in 1...5 { world.addRecent(String(repeating: "x", count: 500)) }
        #expect(try world.recents().count == 2)
        world.addRecent(String(repeating: "x", count: 5_000))
        #expect(try world.recents().count == 1)
    }

    @Test mutating func `an incoming call answered on another device has the outcome answered elsewhere (CK-23)`()
        throws
    {
        world.addRecent("alice", .answered, devices: ["mobile"])
        world.addRecent("carol", isOutgoing: true, .answered, devices: ["mobile"])
        world.addRecent("dave", .declined, devices: ["mobile"])
        world.addRecent("erin", .missed, devices: [])
        let outcomes: [RecentCall.Outcome] = [.missed, .declined, .answered]
        #expect(try world.recents(device: "desk").map(\.call.outcome) == outcomes + [.answeredElsewhere])
        #expect(try world.recents(device: "mobile").map(\.call.outcome) == outcomes + [.answered])
        #expect(try world.recents().allSatisfy { $0.call.devices.isEmpty })
    }

    @Test mutating func `entries are marked as seen and removed, individually or all (CK-71)`() throws {
        let ids = (1...4).map { _ in world.addRecent() }
        #expect(try world.recents().allSatisfy { !$0.isSeen })
        #expect(try world.ask(.markRecentsSeen([ids[1], RecentUUID(high: 1, low: 1)])) == changed)
        #expect(try world.recents().map(\.isSeen) == [false, false, true, false])
        #expect(try world.ask(.markRecentsSeen([ids[1]])).reply == .ignored)
        #expect(try world.ask(.markRecentsSeen(nil)).reply == .done)
        #expect(try world.recents().allSatisfy(\.isSeen))
        #expect(try world.ask(.removeRecents([ids[0], ids[2]])) == changed)
        #expect(try world.recents().map(\.call.id) == [ids[3], ids[1]])
        #expect(try world.ask(.removeRecents([ids[0]])).reply == .ignored)
        #expect(try world.ask(.removeRecents([])).reply == .ignored)
        #expect(try world.ask(.removeRecents(nil)) == changed)
        #expect(try world.recents().isEmpty)
    }

    @Test mutating func `missed calls of a link's guests are one entry with a count, the newest and unseen`()
        throws
    {
        world.addRecent("guest-1", .missed, link: "link-1")
        let alice = world.addRecent("alice", .missed)
        _ = try world.ask(.markRecentsSeen(nil))
        let last = world.addRecent("guest-2", .missed, link: "link-1")
        let entries = try world.recents()
        #expect(entries.map(\.call.id) == [last, alice])
        #expect(entries.map(\.count) == [2, 1])
        #expect(entries.map(\.isSeen) == [false, true])
        #expect(entries.first?.call.handle == .generic("guest-2"))
    }

    @Test mutating func `calls of other links, of accounts, to a guest and answered ones are separate entries`()
        throws
    {
        for link in ["link-1", "link-2", nil] { for _ in 1...2 { world.addRecent("x", .missed, link: link) } }
        for outcome in [RecentCall.Outcome.answered, .declined] {
            for _ in 1...2 { world.addRecent("x", outcome, link: "link-1") }
        }
        for _ in 1...2 { world.addRecent("x", isOutgoing: true, .failed, link: "link-1") }
        #expect(try world.recents().map(\.count) == [1, 1, 2, 1, 1, 1, 1, 2, 2])
    }

    @Test mutating func `guests of a link displace no other entries, however often they call`() throws {
        world.accountData.limits.maximumListBytes = 3_000
        let alice = world.addRecent("alice", .missed)
        for number in 1...2_000 { world.addRecent("guest-\(number)", .missed, link: "link-1") }
        #expect(try world.recents().map(\.count) == [2_000, 1])
        #expect(try world.recents().last?.call.id == alice)
        for _ in 1...8 { world.addRecent("alice") }
        #expect(try world.recents().count == 10)
    }

    @Test mutating func `each account has its own list`() throws {
        world.addRecent(of: "carol")
        #expect(try world.recents().isEmpty)
    }

    private var changed: AccountDataResult { AccountDataResult(.done, changed: [.recents]) }
}
