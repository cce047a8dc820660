import HubTestSupport
import Testing

/// Notifications about calls on an account's other devices, as JSON: five fields, and no remote party.
struct ObserverTests {
    private static let fiveFields: Set<String> = ["uuid", "isOutgoing", "isOnHold", "hasConnected", "hasEnded"]

    private static func expectFiveFields(_ told: RawPhone.Object, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Set(told.keys).subtracting(["seq"]) == ["call", "device"], sourceLocation: sourceLocation)
        #expect(Set(told.call.keys) == fiveFields, sourceLocation: sourceLocation)
        let device = told["device"] as? RawPhone.Object ?? [:]
        #expect(Set(device.keys) == ["id", "name"], sourceLocation: sourceLocation)
        #expect(device["id"] as? String == "desk", sourceLocation: sourceLocation)
    }

    @Test
    func `an observer receives each change in five fields, the end once, and cannot act on the call (CK-69, CK-70)`()
        throws
    {
        let hub = try TestHub()
        let alice = try RawPhone(port: hub.port, account: "alice")
        let desk = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "desk", "name": "Desk"]])
        let observer = try RawPhone(
            port: hub.port,
            account: "bob",
            ["device": ["id": "watch"], "permissions": ["observe"]]
        )
        let silent = try RawPhone(
            port: hub.port,
            account: "bob",
            ["device": ["id": "plain"], "permissions": [String]()]
        )
        func request(_ phone: RawPhone, _ action: RawPhone.Object) throws -> RawPhone.Object {
            try phone.ask("transaction.request", ["actions": [action]])
        }
        let outgoing = "00000000-0000-4000-8000-00000000000a"
        let handle = ["type": "generic", "value": "bob"]
        _ = try request(alice, ["type": "start", "callUUID": outgoing, "handle": handle])
        let call = try desk.next("call.changed").call["uuid"] as? String ?? ""
        for action: RawPhone.Object in [
            ["type": "answer"], ["type": "setMuted", "isMuted": true], ["type": "setHeld", "isOnHold": true],
        ] {
            #expect(try request(desk, action.merging(["callUUID": call]) { $1 }).errorCode == 0)
        }
        let list = try observer.ask("observer.calls").result ?? [:]
        let elsewhere = list["elsewhere"] as? [RawPhone.Object] ?? []
        #expect(elsewhere.map { $0.call["uuid"] as? String } == [call])
        elsewhere.forEach { Self.expectFiveFields($0) }
        #expect((list["calls"] as? [Any])?.isEmpty == true)

        #expect(try request(observer, ["type": "end", "callUUID": call]).errorCode == 101)
        #expect(
            try request(alice, ["type": "end", "callUUID": call]).errorCode == 104,
            "Bob's UUID is none of Alice's"
        )
        #expect(try request(desk, ["type": "end", "callUUID": call]).errorCode == 0)
        var changes: [RawPhone.Object] = []
        while changes.last?.call["hasEnded"] as? Bool != true {
            changes.append(try observer.next("observer.callChanged"))
        }
        changes.forEach { Self.expectFiveFields($0) }
        let shown = changes.map { change in
            ["hasConnected", "isOnHold", "hasEnded"].filter { change.call[$0] as? Bool == true }
        }
        #expect(
            shown == [
                [], ["hasConnected"], ["hasConnected", "isOnHold"], ["hasConnected", "isOnHold", "hasEnded"],
            ],
            "one for each change of the five fields; a mute is none of them"
        )
        #expect(try observer.ask("session.ping").errorCode == 0)
        #expect(!observer.methods.contains("call.changed"), "a device that may not call does not ring")
        #expect(observer.methods.count { $0 == "observer.callChanged" } == 4)
        #expect(try silent.ask("session.ping").errorCode == 0)
        // A session that does not observe receives nothing of the call; changed Recents are notified to all devices.
        #expect(silent.methods == ["provider.didBegin", "recents.changed"])
    }
}
