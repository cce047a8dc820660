import Foundation
import HubServer
import HubTestSupport
import Testing

/// Account data, requested over real sockets: Bob has two devices, Alice calls him.
struct AccountDataTests {
    typealias Object = RawPhone.Object

    private struct Fixture {
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
            let fixture = try Fixture()
            var settings = try fixture.desk.ask("settings.get").result
            var expected: Object = [
                "doNotDisturb": false, "quietHours": [Object](), "timeZone": "", "device": ["doNotDisturb": false],
                "displayName": "", "isNamedInGroups": true, "isListed": true, "acceptsTransferredStrangers": true,
                "holdAudio": "hub",
            ]
            #expect(settings as NSDictionary? == expected as NSDictionary)
            settings = try fixture.desk.ask("settings.set", ["displayName": "Bob B."]).result
            expected["displayName"] = "Bob B."
            #expect(settings as NSDictionary? == expected as NSDictionary)
            try fixture.mobile.next("settings.changed")
            settings = try fixture.mobile.ask("settings.set", ["doNotDisturb": true]).result
            expected["doNotDisturb"] = true
            #expect(settings as NSDictionary? == expected as NSDictionary)
            try fixture.desk.next("settings.changed")
            try fixture.desk.ask("settings.set", ["doNotDisturb": true])
            #expect(try fixture.changes(fixture.desk) == ["settings.changed"])
            #expect(try fixture.changes(fixture.mobile) == ["settings.changed"])
            #expect(try fixture.changes(fixture.alice).isEmpty)
            #expect(try fixture.alice.ask("settings.get").result?["doNotDisturb"] as? Bool == false)
        }
    }

    @Test func `a quiet device does not ring, and neither does an account in its quiet hours (CK-13)`()
        async throws
    {
        try await blocking {
            let fixture = try Fixture(ringsFor: .seconds(12))
            try fixture.desk.ask("settings.set", ["device": ["doNotDisturb": true]])
            try fixture.mobile.next("settings.changed")
            let device = try fixture.mobile.ask("settings.get").result?["device"] as? NSDictionary
            #expect(device == ["doNotDisturb": false])
            _ = try fixture.call()
            let ringing = try fixture.mobile.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            try fixture.act(fixture.mobile, "end", ringing["uuid"])
            try fixture.desk.next("recents.changed")
            #expect(!fixture.desk.methods.contains("call.changed"))

            let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            let always: Object = ["days": days, "from": "00:00", "to": "00:00"]
            #expect(try fixture.mobile.ask("settings.set", ["timeZone": "Europe/Atlantis"]).errorCode == 602)
            try fixture.mobile.ask("settings.set", ["quietHours": [always], "timeZone": "Asia/Seoul"])
            let uuid = try fixture.call()
            #expect(try fixture.end(of: uuid, on: fixture.alice)["endedReason"] as? String == "unanswered")
            try fixture.mobile.next("recents.changed")
            #expect(try fixture.recents(fixture.mobile).first?["silenced"] as? Bool == true)
        }
    }

    @Test func `a blocked caller hears ringback until the timeout, and no device rings (CK-11)`() async throws {
        try await blocking {
            let fixture = try Fixture(ringsFor: .seconds(1.5))
            let handle: Object = ["handle": ["type": "generic", "value": "alice"]]
            #expect(try fixture.desk.ask("block.add", handle).result?.isEmpty == true)
            try fixture.mobile.next("block.changed")
            #expect(try fixture.mobile.ask("block.add", handle).result?["ignored"] as? Bool == true)
            let handles = try fixture.mobile.ask("block.list").result?["handles"] as? [NSDictionary]
            #expect(handles == [["type": "generic", "value": "alice"]])

            let uuid = try fixture.call()
            try fixture.alice.next("call.changed") { $0.call["remoteIsRinging"] as? Bool == true }
            let end = try fixture.end(of: uuid, on: fixture.alice)
            #expect(end["endedReason"] as? String == "unanswered")
            #expect(try fixture.recents(fixture.alice).map { $0["outcome"] as? String } == ["cancelled"])
            #expect(try fixture.recents(fixture.desk).isEmpty)
            #expect(try fixture.changes(fixture.desk).isEmpty)
            #expect(!fixture.desk.methods.contains("call.changed"))

            #expect(try fixture.mobile.ask("block.remove", handle).result?.isEmpty == true)
            try fixture.desk.next("block.changed")
            #expect(try fixture.desk.ask("block.remove", handle).result?["ignored"] as? Bool == true)
            _ = try fixture.call()
            try fixture.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }
        }
    }

    @Test func `Do Not Disturb silences a call unless the contact breaks through (CK-13, CK-15, CK-74)`() async throws {
        try await blocking {
            let fixture = try Fixture(ringsFor: .seconds(12))
            try fixture.desk.ask("settings.set", ["doNotDisturb": true])
            var uuid = try fixture.call()
            #expect(try fixture.end(of: uuid, on: fixture.alice)["endedReason"] as? String == "unanswered")
            try fixture.desk.next("recents.changed")
            let missed = try #require(try fixture.recents(fixture.desk).first)
            #expect(missed["outcome"] as? String == "missed")
            #expect(missed["silenced"] as? Bool == true)
            #expect(!fixture.mobile.methods.contains("call.changed"))

            let contact: Object = [
                "identifier": "1", "name": "Alice A.", "handles": [["type": "generic", "value": "alice"]],
                "favorite": true,
                "breaksThroughDoNotDisturb": true,
            ]
            #expect(try fixture.mobile.ask("contacts.put", contact).result?.isEmpty == true)
            try fixture.desk.next("contacts.changed")
            let contacts = try fixture.desk.ask("contacts.list").result?["contacts"] as? [NSDictionary]
            #expect(contacts == [contact as NSDictionary])
            uuid = try fixture.call()
            let ringing = try fixture.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["localizedCallerName"] as? String == "Alice A.")
            #expect(ringing["nameSource"] as? String == "contact")
            try fixture.act(fixture.desk, "end", ringing["uuid"])

            #expect(try fixture.desk.ask("contacts.remove", ["identifier": "1"]).result?.isEmpty == true)
            try fixture.mobile.next("contacts.changed")
            #expect(try fixture.mobile.ask("contacts.remove", ["identifier": "1"]).result?["ignored"] as? Bool == true)
        }
    }

    @Test func `a contact's photo is listed by its hash and sent on request`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let contact: Object = ["identifier": "1", "name": "Ann", "handles": [], "ringtone": "no-such-one"]
            #expect(try fixture.desk.ask("contacts.put", contact.merging(["photo": "/9j/4AAA"]) { $1 }).errorCode == 0)
            try fixture.mobile.next("contacts.changed")
            let listed = try #require(try fixture.mobile.ask("contacts.list").result?["contacts"] as? [Object]).first
            // `printf '\xff\xd8\xff\xe0\0\0' | sha256sum`
            #expect(listed?["photoHash"] as? String == "3b8911f648905fa8f973846557b8eafd")
            #expect(listed?["ringtone"] as? String == "no-such-one")
            #expect(listed?["photo"] == nil)
            let photo = { (identifier: String) in try fixture.mobile.ask("contacts.photo", ["identifier": identifier]) }
            #expect(try photo("1").result?["photo"] as? String == "/9j/4AAA")
            #expect(try photo("2").errorCode == 404)
            try fixture.desk.ask("contacts.put", contact.merging(["photo": NSNull()]) { $1 })
            #expect(try photo("1").errorCode == 404)
        }
    }

    @Test func `the caller's own name has priority over the callee's contacts (CK-15)`() async throws {
        try await blocking {
            let fixture = try Fixture()
            try fixture.alice.ask("settings.set", ["displayName": "Alice herself"])
            _ = try fixture.call()
            let ringing = try fixture.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            #expect(ringing["localizedCallerName"] as? String == "Alice herself")
            #expect(ringing["nameSource"] as? String == "caller")
        }
    }

    @Test func `a call is in the Recents of both parties, with the outcome of each (CK-23, CK-71)`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let uuid = try fixture.call()
            let ringing = try fixture.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            try fixture.act(fixture.desk, "answer", ringing["uuid"])
            try fixture.desk.next("call.changed") { $0.call["state"] as? String == "connected" }
            try fixture.act(fixture.alice, "end", uuid)
            for phone in [fixture.alice, fixture.desk, fixture.mobile] { try phone.next("recents.changed") }

            let outgoing = try #require(try fixture.recents(fixture.alice).first)
            #expect(outgoing["direction"] as? String == "outgoing")
            #expect(outgoing["outcome"] as? String == "answered")
            #expect(outgoing["handle"] as? NSDictionary == ["type": "generic", "value": "bob"])
            #expect(outgoing["seen"] as? Bool == false)
            #expect(outgoing["duration"] as? Double != nil)
            #expect(outgoing["connectedAt"] as? String != nil)
            #expect(try fixture.recents(fixture.desk).map { $0["outcome"] as? String } == ["answered"])
            #expect(try fixture.recents(fixture.mobile).map { $0["outcome"] as? String } == ["answeredElsewhere"])
            #expect(try fixture.recents(fixture.mobile).map { $0["direction"] as? String } == ["incoming"])
        }
    }

    @Test func `Recents are paged, and changes by one device are notified to the other (CK-71)`()
        async throws
    {
        try await blocking {
            let fixture = try Fixture()
            for _ in 1...3 {
                let uuid = try fixture.call()
                let ringing = try fixture.desk.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
                try fixture.act(fixture.desk, "end", ringing["uuid"])
                #expect(try fixture.end(of: uuid, on: fixture.alice)["cause"] as? String == "declined")
                try fixture.desk.next("recents.changed")
                try fixture.mobile.next("recents.changed")
            }
            let ids = try fixture.recents(fixture.desk).compactMap { $0["id"] as? String }
            #expect(ids.count == 3)
            #expect(
                try fixture.recents(fixture.mobile).map { $0["outcome"] as? String }
                    == Array(repeating: "declined", count: 3)
            )
            #expect(try fixture.recents(fixture.desk, ["limit": 2]).map { $0["id"] as? String } == Array(ids.prefix(2)))
            #expect(try fixture.recents(fixture.desk, ["before": ids[1]]).map { $0["id"] as? String } == [ids[2]])
            #expect(try fixture.recents(fixture.desk, ["before": ids[2]]).isEmpty)
            let unknown = try fixture.desk.ask("recents.list", ["before": UUID().uuidString])
            #expect(unknown.errorCode == 404)

            #expect(try fixture.desk.ask("recents.markSeen", ["ids": [ids[0]]]).result?.isEmpty == true)
            try fixture.mobile.next("recents.changed")
            #expect(try fixture.recents(fixture.mobile).map { $0["seen"] as? Bool } == [true, false, false])
            #expect(try fixture.mobile.ask("recents.markSeen").result?.isEmpty == true)
            try fixture.desk.next("recents.changed")
            #expect(try fixture.mobile.ask("recents.remove", ["ids": [ids[1]]]).result?.isEmpty == true)
            try fixture.desk.next("recents.changed")
            #expect(try fixture.recents(fixture.desk).map { $0["id"] as? String } == [ids[0], ids[2]])
            #expect(try fixture.desk.ask("recents.remove").result?.isEmpty == true)
            try fixture.mobile.next("recents.changed")
            #expect(try fixture.recents(fixture.mobile).isEmpty)
            #expect(try fixture.mobile.ask("recents.remove").result?["ignored"] as? Bool == true)
        }
    }
}
