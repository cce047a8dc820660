import Foundation
import HubTestSupport
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// Clients that exceed their limits, during another call.
    struct HubLimitsTests {
        private static var call: RawPhone.Object {
            start("echo", as: "0196f3b0-7c1d-4f4e-9a55-3a1b2c3d4e5f")
        }

        private static func start(_ whom: String, as uuid: String = UUID().uuidString) -> RawPhone.Object {
            [
                "actions": [
                    [
                        "type": "start", "callUUID": uuid,
                        "handle": ["type": "generic", "value": whom] as RawPhone.Object,
                    ] as RawPhone.Object
                ]
            ]
        }

        @Test func `sign-ins per address and minute are limited, resumptions are not`()
            async throws
        {
            let hub = try TestHub {
                $0.transport.exemptAddresses = []
                $0.transport.signInsPerMinute = 4
            }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                let anna = try RawPhone(port: hub.port, account: "anna")
                _ = try RawPhone(port: hub.port, account: "berta")
                let late = try RawPhone(port: hub.port)
                let reply = try late.open(["account": "clara"])
                #expect(reply.errorCode == 429)
                #expect(reply.errorData["name"] as? String == "tooMany")
                #expect(reply.errorData["retryAfterSeconds"] as? Int == 15)
                #expect(reply.errorMessage.contains("more than 4 sign-ins a minute from 127.0.0.1"))
                for _ in 0..<10 { #expect(try anna.resume()["error"] == nil) }
            }
            try await background.finish()
        }

        @Test func `HTTP requests are limited per address, without affecting other clients' sign-ins`() async throws {
            let hub = try TestHub {
                $0.transport.exemptAddresses = []
                $0.transport.trustedProxies = AddressRange.loopback
                $0.transport.requestsPerSecond = 10
                $0.metrics.cacheLife = .seconds(1)
            }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                func status(_ address: String) throws -> Int {
                    let headers = ["X-Forwarded-For: \(address)"]
                    return try HTTPReply.fetch("/metrics", port: hub.port, headers: headers).status
                }
                // Ten come back a second: a machine that is busy takes longer, and is refused later.
                var statuses: [Int] = []
                while statuses.suffix(20).count(where: { $0 == 429 }) < 10, statuses.count < 3_000 {
                    statuses.append(try status("203.0.113.1"))
                }
                #expect(statuses.prefix(90).allSatisfy { $0 == 200 })
                #expect(statuses.last == 429)
                #expect(try status("203.0.113.2") == 200)
                // Long texts of a client that has not signed in are charged by their bytes.
                let socket = try RawWebSocket(port: hub.port, headers: ["X-Forwarded-For: 203.0.113.3"])
                let text =
                    "{\"id\": 1, \"method\": \"session.open\", \"x\": \"\(String(repeating: "y", count: 62_000))\"}"
                var refused = 0
                for _ in 0..<20 {
                    try socket.send(text: text)
                    if try socket.readFrame().text.contains("more than 10 requests a second from 203.0.113.3") {
                        refused += 1
                    }
                }
                #expect((8...15).contains(refused))
                let friend = try RawWebSocket(port: hub.port, headers: ["X-Forwarded-For: 203.0.113.4"])
                try friend.send(
                    text: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.open\",\"params\":{\"account\":\"vera\"}}"
                )
                #expect(try friend.readFrame().text.contains("\"result\""))
            }
            try await background.finish()
        }

        @Test func `a flood of messages is refused unparsed, then the connection is closed`() async throws {
            let hub = try TestHub { $0.messagesPerSecond = 20 }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                let flood = try RawPhone(port: hub.port, account: "flood")
                let start = ContinuousClock.now
                for _ in 0..<99 { try flood.send("session.ping") }
                for number in 0..<50 { try flood.send("session.ping", ["t": number]) }
                var refused = 0
                for _ in 0..<149 {
                    let reply = try flood.reply()
                    guard reply["error"] != nil else { continue }
                    #expect(reply.errorCode == 429)
                    #expect(reply.errorMessage == "more than 20 messages a second; this one was not read, send fewer")
                    #expect(reply["id"] as? Int ?? 0 > 100, "each is answered under its own id")
                    refused += 1
                }
                let regained = Int((ContinuousClock.now - start) / .seconds(1) * 20)
                #expect((max(0, 48 - regained)...50).contains(refused))
                // Its own thread reads: who reads nothing would be a slow consumer first.
                let socket = flood.socket
                let text = Array("{\"jsonrpc\":\"2.0\",\"method\":\"session.ping\"}".utf8)
                let frame = RawWebSocket.bytes(opcode: 1, text)
                for _ in 0..<100 {
                    guard (try? socket.socket.send([[UInt8]](repeating: frame, count: 50).flatMap(\.self))) != nil
                    else { break }
                }
                try flood.next("session.closing") { $0["reason"] as? String == "policy" }
                #expect(try flood.readToEnd() == 1008)
            }
            try await background.finish()
        }

        @Test func `calls to an account are limited, whoever the callers are`() async throws {
            let hub = try TestHub { $0.callsToAccountPerSecond = 1 }
            try await blocking {
                let victim = try RawPhone(port: hub.port, account: "victim")
                let callers = try (0..<4).map { try RawPhone(port: hub.port, account: "caller\($0)") }
                var refused = 0
                let start = ContinuousClock.now
                for turn in 0..<5 {
                    for caller in callers {
                        let reply = try caller.ask("transaction.request", Self.start("victim"))
                        guard reply["error"] != nil else { continue }
                        #expect(reply.errorCode == 429)
                        #expect(reply.errorMessage.contains("more than 1 calls a second to this account"))
                        refused += 1
                    }
                    #expect(turn < 2 || refused > 0 || ContinuousClock.now - start > .seconds(3))
                }
                let regained = Int((ContinuousClock.now - start) / .seconds(1))
                #expect(refused >= 14 - regained, "five in one go, and one a second")
                #expect(try victim.ask("observer.calls")["error"] == nil)
                #expect(try callers[0].ask("transaction.request", Self.start("echo"))["error"] == nil)
            }
        }

        @Test func `calls per device are limited`() async throws {
            let hub = try TestHub { $0.callsPerDevice = 1 }
            try await blocking {
                let anna = try RawPhone(port: hub.port, account: "anna")
                #expect(try anna.ask("transaction.request", Self.call)["error"] == nil)
                let another = String(decoding: try JSONSerialization.data(withJSONObject: Self.call), as: UTF8.self)
                    .replacingOccurrences(of: "4e5f", with: "4e60")
                let reply = try anna.say(
                    "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"transaction.request\",\"params\":\(another)}"
                )
                #expect(reply.errorCode == 429)
                #expect(reply.errorMessage.contains("the hub allows 1 for one device"))
            }
        }

        @Test func `a hub without free queue memory refuses new sessions and calls, and keeps existing ones`()
            async throws
        {
            let hub = try TestHub { $0.transport.maximumQueuedMegabytes = 1 }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                let anna = try RawPhone(port: hub.port, account: "anna")
                let half = [UInt8](repeating: 0x61, count: 40_000)
                let hoarders = try (0..<14).map { _ in try RawPhone(port: hub.port, account: "hoarder") }
                for hoarder in hoarders { try hoarder.socket.send(opcode: 1, half, isFinal: false) }
                let deadline = Deadline(seconds: 30)
                var refusal = try RawPhone(port: hub.port).open(["account": "berta"])
                while refusal.errorCode == 0 {
                    try #require(!deadline.isOver)
                    refusal = try RawPhone(port: hub.port).open(["account": "berta"])
                }
                #expect(refusal.errorCode == 503)
                #expect(refusal.errorData["name"] as? String == "overloaded")
                #expect((2...6).contains(refusal.errorData["retryAfterSeconds"] as? Int ?? 0))
                #expect(refusal.errorMessage.hasPrefix("the hub takes no new sessions at the moment"))
                let call = try anna.ask("transaction.request", Self.call)
                #expect(call.errorCode == 503)
                #expect(call.errorData["name"] as? String == "overloaded")
                #expect(try anna.resume()["error"] == nil, "a lost session is resumed")
                #expect(try anna.ask("session.ping")["error"] == nil)
                for hoarder in hoarders { hoarder.socket.socket.close() }
                while try RawPhone(port: hub.port).open(["account": "berta"]).errorCode != 0 {
                    try #require(!deadline.isOver)
                }
                #expect(try anna.ask("transaction.request", Self.call)["error"] == nil)
            }
            try await background.finish()
        }

        @Test func `a hub that is busy for seconds refuses new sessions`() async throws {
            let hub = try TestHub {
                $0.overloadBusyShare = 0.000_000_1
                $0.transport.sweepInterval = .milliseconds(20)
            }
            try await blocking {
                let deadline = Deadline(seconds: 30)
                var refusal = try RawPhone(port: hub.port).open(["account": "anna"])
                while refusal.errorCode == 0 {
                    try #require(!deadline.isOver)
                    refusal = try RawPhone(port: hub.port).open(["account": "anna"])
                }
                #expect(refusal.errorCode == 503)
                #expect(refusal.errorData["name"] as? String == "overloaded")
            }
        }
    }
}

/// The moving average of a loop's utilisation over some seconds.
struct SustainedLoadTests {
    @Test func `a load peak has little effect, a sustained load has`() {
        var load = SustainedLoad(at: 0)
        let second: UInt64 = 1_000_000_000
        load.sample(busyNanoseconds: second, at: second)
        #expect(load.busyShare < 0.5)
        var (now, busy) = (second, second)
        for _ in 0..<10 {
            (now, busy) = (now + second, busy + second)
            load.sample(busyNanoseconds: busy, at: now)
        }
        #expect(load.busyShare > 0.95)
        for _ in 0..<10 {
            now += second
            load.sample(busyNanoseconds: busy, at: now)
        }
        #expect(load.busyShare < 0.05)
    }

    @Test func `the sampling interval does not affect the result`() {
        var (often, seldom) = (SustainedLoad(at: 0), SustainedLoad(at: 0))
        for number in 1...200 as ClosedRange<UInt64> {
            often.sample(busyNanoseconds: number * 10_000_000, at: number * 20_000_000)
        }
        seldom.sample(busyNanoseconds: 2_000_000_000, at: 4_000_000_000)
        #expect(abs(often.busyShare - seldom.busyShare) < 0.001)
    }
}
