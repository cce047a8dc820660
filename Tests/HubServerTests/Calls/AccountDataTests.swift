import Foundation
import HubServer
import HubTestSupport
import Testing

/// Account data, requested over real sockets: Bob has two devices, Alice calls him.
struct AccountDataTests {
    typealias Object = RawPhone.Object

    private struct World {
        let hub: TestHub
        let desk: RawPhone
        let mobile: RawPhone
        let alice: RawPhone

        init(ringsFor ringTimeout: Duration = .seconds(600)) throws {
            hub = try TestHub { $0.ringTimeout = ringTimeout }
            desk = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "desk"]])
            mobile = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "mobile"]])
            alice = try RawPhone(port: hub.port, account: "alice", ["device": ["id": "desk"]])
        }

        /// Has Alice call Bob; the call's UUID at her end.
        func call() throws -> String {
            let uuid = UUID().uuidString.lowercased()
            let action: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
            #expect(try alice.ask("transaction.request", ["actions": [action]]).result != nil)
            return uuid
        }

        func act(_ phone: RawPhone, _ type: String, _ call: Any?) throws {
            let action: Object = ["type": type, "callUUID": call as? String ?? ""]
            #expect(try phone.ask("transaction.request", ["actions": [action]]).result != nil)
        }

        /// Waits for the end of a call; its last snapshot.
        func end(of uuid: String, on phone: RawPhone) throws -> Object {
            try phone.next("call.changed") {
                $0.call["uuid"] as? String == uuid && $0.call["hasEnded"] as? Bool == true
            }.call
        }

        func recents(_ phone: RawPhone, _ params: Object = [:]) throws -> [Object] {
            try phone.ask("recents.list", params).result?["recents"] as? [Object] ?? []
        }

        /// Returns the methods of a phone's notifications about account data so far.
        func changes(_ phone: RawPhone) throws -> [String] {
            try phone.ask("session.ping")
            return phone.methods.filter {
                ["recents", "settings", "contacts", "block"].contains($0.prefix { $0 != "." })
            }
        }
    }

    @Test func `settings belong to the account, and its other device is notified of a change (CK-13)`() async throws {
        try await blocking {
            let world = try World()
            var settings = try world.desk.ask("settings.get").result
            var expected: Object = [
                "doNotDisturb": false, "quietHours": [Object](), "timeZone": "", "device": ["doNotDisturb": false],
                "displayName": "",
            ]
            #expect(settings as NSDictionary? == expected as NSDictionary)
            settings = try world.desk.ask("settings.set", ["displayName": "Bob B."]).result
            expected["displayName"] = "Bob B."
            #expect(settings as NSDictionary? == expected as NSDictionary)
            try world.mobile.next("settings.changed")
            settings = try world.mobile.ask("settings.set", ["doNotDisturb": true]).result
            expected["doNotDisturb"] = true
            #expect(settings as NSDictionary? == expected as NSDictionary)
            try world.desk.next("settings.changed")
            try world.desk.ask("settings.set", ["doNotDisturb": true])
            #expect(try world.changes(world.desk) == ["settings.changed"])
            #expect(try world.changes(world.mobile) == ["settings.changed"])
            #expect(try world.changes(world.alice).isEmpty)
            #expect(try world.alice.ask("settings.get").result?["doNotDisturb"] as? Bool == false)
        }
    }

    @Test func `a quiet device does not ring, and neither does an account in its quiet hours (CK-13)`()
        async throws
    {
        try await blocking {
            let world = try World(ringsFor: .seconds(1.5))
            try world.desk.ask("settings.set", ["device": ["doNotDisturb": true]])
            try world.mobile.next("settings.changed")
            let device = try world.mobile.ask("settings.get").result?["device"] as? NSDictionary
            #expect(device == ["doNotDisturb": false])
            _ = try world.call()
            let ringing = try world.mobile.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            try world.act(world.mobile, "end", ringing["uuid"])
            try world.desk.next("recents.changed")
            #expect(!world.desk.methods.contains("call.changed"))

            let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            let always: Object = ["days": days, "from": "00:00", "to": "00:00"]
            #expect(try world.mobile.ask("settings.set", ["timeZone": "Europe/Atlantis"]).errorCode == 602)
            try world.mobile.ask("settings.set", ["quietHours": [always], "timeZone": "Asia/Seoul"])
            let uuid = try world.call()
            #expect(try world.end(of: uuid, on: world.alice)["endedReason"] as? String == "unanswered")
            try world.mobile.next("recents.changed")
            #expect(try world.recents(world.mobile).first?["silenced"] as? Bool == true)
        }
    }

    @Test func `a blocked caller hears ringback until the timeout, and no device rings (CK-11)`() async throws {
        try await blocking {
            let world = try World(ringsFor: .seconds(1.5))
            let handle: Object = ["handle": ["type": "generic", "value": "alice"]]
            #expect(try world.desk.ask("block.add", handle).result?.isEmpty == true)
            try world.mobile.next("block.changed")
            #expect(try world.mobile.ask("block.add", handle).result?["ignored"] as? Bool == true)
            let handles = try world.mobile.ask("block.list").result?["handles"] as? [NSDictionary]
            #expect(handles == [["type": "generic", "value": "alice"]])

            let uuid = try world.call()
            try world.alice.next("call.changed") { $0.call["remoteIsRinging"] as? Bool == true }
            let end = try world.end(of: uuid, on: world.alice)
            #expect(end["endedReason"] as? String == "unanswered")
            #expect(try world.recents(world.alice).map { $0["outcome"] as? String } == ["cancelled"])
            #expect(try world.recents(world.desk).isEmpty)
            #expect(try world.changes(world.desk).isEmpty)
            #expect(!world.desk.methods.contains("call.changed"))

            #expect(try world.mobile.ask("block.remove", handle).result?.isEmpty == true)
            try world.desk.next("block.changed")
            #expect(try world.desk.ask("block.remove", handle).result?["ignored"] as? Bool == true)
            _ = try world.call()
            try world.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }
        }
    }

    @Test func `Do Not Disturb silences a call unless the contact breaks through (CK-13, CK-15, CK-74)`() async throws {
        try await blocking {
            let world = try World(ringsFor: .seconds(1.5))
            try world.desk.ask("settings.set", ["doNotDisturb": true])
            var uuid = try world.call()
            #expect(try world.end(of: uuid, on: world.alice)["endedReason"] as? String == "unanswered")
            try world.desk.next("recents.changed")
            let missed = try #require(try world.recents(world.desk).first)
            #expect(missed["outcome"] as? String == "missed")
            #expect(missed["silenced"] as? Bool == true)
            #expect(!world.mobile.methods.contains("call.changed"))

            let contact: Object = [
                "identifier": "1", "name": "Alice A.", "handles": [["type": "generic", "value": "alice"]],
                "favorite": true,
                "breaksThroughDoNotDisturb": true,
            ]
            #expect(try world.mobile.ask("contacts.put", contact).result?.isEmpty == true)
            try world.desk.next("contacts.changed")
            let contacts = try world.desk.ask("contacts.list").result?["contacts"] as? [NSDictionary]
            #expect(contacts == [contact as NSDictionary])
            uuid = try world.call()
            let ringing = try world.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["localizedCallerName"] as? String == "Alice A.")
            #expect(ringing["nameSource"] as? String == "contact")
            try world.act(world.desk, "end", ringing["uuid"])

            #expect(try world.desk.ask("contacts.remove", ["identifier": "1"]).result?.isEmpty == true)
            try world.mobile.next("contacts.changed")
            #expect(try world.mobile.ask("contacts.remove", ["identifier": "1"]).result?["ignored"] as? Bool == true)
        }
    }

    @Test func `the caller's own name has priority over the callee's contacts (CK-15)`() async throws {
        try await blocking {
            let world = try World()
            try world.alice.ask("settings.set", ["displayName": "Alice herself"])
            _ = try world.call()
            let ringing = try world.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["localizedCallerName"] as? String == "Alice herself")
            #expect(ringing["nameSource"] as? String == "caller")
        }
    }

    @Test func `a call is in the Recents of both parties, with the outcome of each (CK-23, CK-71)`() async throws {
        try await blocking {
            let world = try World()
            let uuid = try world.call()
            let ringing = try world.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            try world.act(world.desk, "answer", ringing["uuid"])
            try world.desk.next("call.changed") { $0.call["state"] as? String == "connected" }
            try world.act(world.alice, "end", uuid)
            for phone in [world.alice, world.desk, world.mobile] { try phone.next("recents.changed") }

            let outgoing = try #require(try world.recents(world.alice).first)
            #expect(outgoing["direction"] as? String == "outgoing")
            #expect(outgoing["outcome"] as? String == "answered")
            #expect(outgoing["handle"] as? NSDictionary == ["type": "generic", "value": "bob"])
            #expect(outgoing["seen"] as? Bool == false)
            #expect(outgoing["duration"] as? Double != nil)
            #expect(outgoing["connectedAt"] as? String != nil)
            #expect(try world.recents(world.desk).map { $0["outcome"] as? String } == ["answered"])
            #expect(try world.recents(world.mobile).map { $0["outcome"] as? String } == ["answeredElsewhere"])
            #expect(try world.recents(world.mobile).map { $0["direction"] as? String } == ["incoming"])
        }
    }

    @Test func `Recents are paged, and changes by one device are notified to the other (CK-71)`()
        async throws
    {
        try await blocking {
            let world = try World()
            for _ in 1...3 {
                let uuid = try world.call()
                let ringing = try world.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
                try world.act(world.desk, "end", ringing["uuid"])
                #expect(try world.end(of: uuid, on: world.alice)["cause"] as? String == "declined")
                try world.desk.next("recents.changed")
                try world.mobile.next("recents.changed")
            }
            let ids = try world.recents(world.desk).compactMap { $0["id"] as? String }
            #expect(ids.count == 3)
            #expect(
                try world.recents(world.mobile).map { $0["outcome"] as? String }
                    == Array(repeating: "declined", count: 3)
            )
            #expect(try world.recents(world.desk, ["limit": 2]).map { $0["id"] as? String } == Array(ids.prefix(2)))
            #expect(try world.recents(world.desk, ["before": ids[1]]).map { $0["id"] as? String } == [ids[2]])
            #expect(try world.recents(world.desk, ["before": ids[2]]).isEmpty)
            let unknown = try world.desk.ask("recents.list", ["before": UUID().uuidString])
            #expect(unknown.errorCode == 404)

            #expect(try world.desk.ask("recents.markSeen", ["ids": [ids[0]]]).result?.isEmpty == true)
            try world.mobile.next("recents.changed")
            #expect(try world.recents(world.mobile).map { $0["seen"] as? Bool } == [true, false, false])
            #expect(try world.mobile.ask("recents.markSeen").result?.isEmpty == true)
            try world.desk.next("recents.changed")
            #expect(try world.mobile.ask("recents.remove", ["ids": [ids[1]]]).result?.isEmpty == true)
            try world.desk.next("recents.changed")
            #expect(try world.recents(world.desk).map { $0["id"] as? String } == [ids[0], ids[2]])
            #expect(try world.desk.ask("recents.remove").result?.isEmpty == true)
            try world.mobile.next("recents.changed")
            #expect(try world.recents(world.mobile).isEmpty)
            #expect(try world.mobile.ask("recents.remove").result?["ignored"] as? Bool == true)
        }
    }
}
