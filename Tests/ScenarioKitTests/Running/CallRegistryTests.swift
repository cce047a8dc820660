import HubEngine
import Testing

@testable import ScenarioKit

struct CallRegistryTests {
    private let uuids = (1...9).map { CallUUID(high: 0, low: UInt64($0)) }

    @Test func `rings match a caller's calls in order`() {
        var table = CallRegistry()
        table.begin("A", by: "alice", uuids[0], to: "bob", nil)
        table.begin("B", by: "carol", uuids[1], to: "bob", nil)
        table.begin("C", by: "alice", uuids[2], to: "bob", nil)
        for (uuid, caller) in [(uuids[3], "carol"), (uuids[4], "alice"), (uuids[5], "alice"), (uuids[4], "alice")] {
            table.rings(uuid, at: "bob", from: caller) { _ in false }
        }
        #expect(table.ends("A", of: "bob") == [uuids[4]])
        #expect(table.ends("B", of: "bob") == [uuids[3]])
        #expect(table.name(of: uuids[5]) == "C")
        #expect(table.ends("A", of: "carol") == [])
    }

    @Test func `a call that has ended at its caller does not match a new ring`() {
        var table = CallRegistry()
        table.begin("A", by: "alice", uuids[0], to: "bob", nil)
        table.begin("B", by: "alice", uuids[1], to: "bob", nil)
        table.rings(uuids[2], at: "bob", from: "alice") { $0 == uuids[0] }
        #expect(table.name(of: uuids[2]) == "B")
    }

    @Test func `a reused name refers to the newer call`() {
        var table = CallRegistry()
        table.begin("A", by: "alice", uuids[0], to: "bob", nil)
        table.begin("A", by: "bob", uuids[1], to: "carol", nil)
        #expect(table.ends("A", of: "bob") == [uuids[1]])
        #expect(table.ends("A", of: "alice") == [uuids[0]])
    }

    @Test func `a call to oneself has both ends under its name`() {
        var table = CallRegistry()
        table.begin("A", by: "alice", uuids[0], to: "alice", nil)
        table.rings(uuids[1], at: "alice", from: "alice") { _ in false }
        #expect(table.ends("A", of: "alice") == [uuids[1], uuids[0]])
    }
}
