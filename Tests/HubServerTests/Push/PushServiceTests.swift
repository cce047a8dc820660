import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// The hub's requests to its push service, and the replies to clients that depend on them.
struct PushServiceTests {
    typealias Object = RawPhone.Object

    /// A push service that records its requests, and answers them when the test calls `answer`.
    private final class PushServiceSpy: PushService, @unchecked Sendable {
        private let condition = NSCondition()
        private var waiting: [@Sendable (Result<Bool, PushRefusal>) -> Void] = []
        private var notes: [String] = []

        let key: [UInt8] = [4] + [UInt8](repeating: 9, count: 64)
        var statistics: PushStatistics { PushStatistics(outcomes: [.accepted: 3, .gone: 1], waiting: 2) }

        func subscribe(
            _ subscription: PushSubscription,
            of device: PushDevice,
            _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
        ) {
            add("subscribe \(subscription.endpoint) \(device.account) \(device.device)", then)
        }

        func unsubscribe(
            _ endpoint: String?,
            of device: PushDevice,
            _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
        ) {
            add("unsubscribe \(endpoint ?? "all") \(device.account) \(device.device)", then)
        }

        func sendPush(_ pushRequest: PushRequest) { add("wake \(pushRequest.account) \(pushRequest.callerName)") }
        func cancelPush(_ account: String, _ call: CallUUID, isMissed: Bool) { add("over \(account) \(isMissed)") }
        func removeAccount(_ account: String) { add("forget \(account)") }

        private func add(_ note: String, _ then: (@Sendable (Result<Bool, PushRefusal>) -> Void)? = nil) {
            condition.withLock {
                notes.append(note)
                if let then { waiting.append(then) }
                condition.broadcast()
            }
        }

        /// Waits for a number of requests, and returns all so far.
        func asked(_ count: Int) -> [String] {
            let limit = Date(timeIntervalSinceNow: 20)
            return condition.withLock {
                while notes.count < count, condition.wait(until: limit) {}
                return notes
            }
        }

        func answer(_ result: Result<Bool, PushRefusal>) {
            let next = condition.withLock {
                while waiting.isEmpty { condition.wait() }
                return waiting.removeFirst()
            }
            next(result)
        }
    }

    private static func hub(_ service: PushServiceSpy?) throws -> TestHub {
        var services = HubServices()
        services.push = service
        return try TestHub(services: services) { $0.pushWait = .seconds(60) }
    }

    private static var subscription: Object {
        [
            "endpoint": "https://push.example/1",
            "keys": ["p256dh": "BA" + String(repeating: "A", count: 85), "auth": String(repeating: "A", count: 22)],
        ]
    }

    @Test func `a hub without push support refuses push requests with 404`() async throws {
        try await blocking {
            let hub = try Self.hub(nil)
            let bob = try RawPhone(port: hub.port, account: "bob")
            for (method, params) in [
                ("push.key", [:]), ("push.subscribe", Self.subscription), ("push.unsubscribe", [:]),
            ] {
                #expect(try bob.ask(method, params).errorCode == 404, "\(method)")
            }
            #expect(try hub.metric("callhub_push_sent_total") == 0)
        }
    }

    @Test func `subscriptions are answered after they are stored, and delay no other request`() async throws {
        try await blocking {
            let service = PushServiceSpy()
            let hub = try Self.hub(service)
            let bob = try RawPhone(port: hub.port, account: "bob", ["device": ["id": "mobile"]])
            #expect((try bob.ask("push.key").result?["applicationServerKey"] as? String)?.count == 87)
            try bob.send("push.subscribe", Self.subscription)
            #expect(service.asked(1) == ["subscribe https://push.example/1 bob mobile"])
            #expect(try bob.ask("session.ping").result != nil)
            service.answer(.success(true))
            #expect(try bob.reply().result?.isEmpty == true)
            for (kind, code) in [
                (SubscriptionFault.wrong, 602), (.notAllowed, 403), (.tooMany, 429), (.unavailable, 503),
            ] {
                try bob.send("push.unsubscribe")
                service.answer(.failure(PushRefusal(kind, "that is why")))
                let reply = try bob.reply()
                #expect(reply.errorCode == code)
                #expect(reply.errorMessage == "that is why")
            }
            try bob.send("push.unsubscribe", ["endpoint": "https://push.example/1"])
            service.answer(.success(false))
            #expect(try bob.reply().result?["ignored"] as? Bool == true)
            #expect(try hub.metric("callhub_push_sent_total{result=\"accepted\"}") == 3)
            #expect(try hub.metric("callhub_push_waiting") == 2)
        }
    }

    @Test func `a call to an absent user is pushed once, and so is its end (CK-80)`() async throws {
        try await blocking {
            let service = PushServiceSpy()
            let hub = try Self.hub(service)
            let bob = try RawPhone(port: hub.port, account: "bob")
            try bob.ask("session.close")
            let alice = try RawPhone(port: hub.port, account: "alice")
            let uuid = UUID().uuidString.lowercased()
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
            #expect(try alice.ask("transaction.request", ["actions": [start]]).result != nil)
            #expect(service.asked(1) == ["wake bob alice"])
            let end: Object = ["type": "end", "callUUID": uuid]
            #expect(try alice.ask("transaction.request", ["actions": [end]]).result != nil)
            #expect(service.asked(2) == ["wake bob alice", "over bob true"])
        }
    }

    @Test func `subscriptions of removed or erased accounts are deleted`() async throws {
        try await blocking {
            let service = PushServiceSpy()
            let hub = try Self.hub(service)
            let both = ["bob", "carol"].map { AccountRecord(name: $0, handles: [.generic($0)]) }
            hub.server.take(both, erased: [])
            hub.server.take([both[0]], erased: ["dave"])
            #expect(service.asked(2) == ["forget dave", "forget carol"])
        }
    }
}
