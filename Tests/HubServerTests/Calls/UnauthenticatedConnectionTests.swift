import Foundation
import HubTestSupport
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// Connections that never sign in, and phones that stop reading, during another call.
    struct UnauthenticatedConnectionTests {
        @Test func `slow, half-open and silent handshakes time out`() async throws {
            let hub = try TestHub {
                $0.transport.handshakeTimeout = .seconds(2)
                $0.transport.signInTimeout = .milliseconds(300)
                $0.transport.sweepInterval = .milliseconds(20)
            }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                let begin = ContinuousClock.now
                let silent = try (0..<20).map { _ in try RawSocket(port: hub.port) }
                let half = try (0..<20).map { _ in try RawSocket(port: hub.port) }
                let closed = try (0..<20).map { _ in try RawSocket(port: hub.port) }
                let slow = try (0..<20).map { _ in try RawSocket(port: hub.port) }
                let unsigned = try (0..<20).map { _ in try RawWebSocket(port: hub.port) }
                // Some may be closed already, if the machine has been busy meanwhile.
                for socket in half { try? socket.send("GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgr") }
                for socket in closed {
                    try? socket.send("GET /v1 HTTP/1.1\r\nHost:")
                    socket.halfClose()
                }
                // A byte of the headers now and then must not buy more time.
                let headers = Array("GET /v1 HTTP/1.1\r\nX-Slow: \(String(repeating: "a", count: 10_000))".utf8)
                var sent = 0
                while slow.contains(where: { !$0.isReadable }), ContinuousClock.now - begin < .seconds(15) {
                    for socket in slow where !socket.isReadable { try? socket.send([headers[sent % headers.count]]) }
                    sent += 1
                    usleep(5_000)
                }
                #expect(ContinuousClock.now - begin < .seconds(15), "slow headers were ended in time")
                for socket in silent + half + closed + slow { _ = try socket.waitForEnd(timeout: 15) }
                for socket in unsigned { #expect(try socket.readCloseCode() == 1008) }
                try hub.wait(for: "callhub_connections", toBe: { $0 == 2 })
                #expect(ContinuousClock.now - begin < .seconds(30))
            }
            try await background.finish()
        }

        @Test func `a phone that reads nothing delays no one, and its connection is closed`() async throws {
            let hub = try TestHub {
                $0.transport.sendBufferBytes = 8_192
                $0.transport.maximumQueuedTextBytes = 100_000
                $0.transport.closeTimeout = .milliseconds(200)
                $0.transport.sweepInterval = .milliseconds(20)
                $0.resumeGrace = .seconds(1)
            }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                let deaf = try RawSocket(port: hub.port, receiveBufferBytes: 2_048)
                let socket = RawWebSocket(deaf)
                try socket.requestUpgrade(host: "127.0.0.1:\(hub.port)")
                _ = try HTTPReply(from: deaf)
                try socket.send(
                    text: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.open\",\"params\":{\"account\":\"deaf\"}}"
                )
                _ = try socket.readFrame()
                let alice = try RawPhone(port: hub.port, account: "alice")
                let uuid = UUID().uuidString.lowercased()
                try alice.request("start", uuid, ["handle": ["type": "generic", "value": "deaf"] as RawPhone.Object])
                let ssrc = try alice.activation()
                var ringing = ""
                while ringing.isEmpty {
                    let frame = try socket.readFrame()
                    let message = try JSONSerialization.jsonObject(with: Data(frame.payload)) as? RawPhone.Object ?? [:]
                    let call = (message["params"] as? RawPhone.Object)?.call ?? [:]
                    if call["state"] as? String == "ringing" { ringing = call["uuid"] as? String ?? "" }
                }
                let answer = "{\"type\":\"answer\",\"callUUID\":\"\(ringing)\"}"
                try socket.send(
                    text:
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"transaction.request\",\"params\":{\"actions\":[\(answer)]}}"
                )
                try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
                // From here on it reads nothing.
                let big = [UInt8](repeating: 0x55, count: 1_200)
                for number in 0..<140 {
                    try alice.socket.send(binary: TestPhone.packet([0x08] + big, ssrc: ssrc, number: number))
                }
                try alice.ask("session.ping")
                try hub.wait(for: "callhub_audio_packets_dropped_total{reason=\"slowConsumer\"}", toBe: { $0 > 0 })
                let name = String(repeating: "x", count: 10_000)
                for _ in 0..<100 {
                    try alice.ask("provider.reportCall", ["callUUID": uuid, "update": ["localizedCallerName": name]])
                }
                let ended = try alice.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
                #expect(ended["cause"] as? String == "connectionLost")
                try hub.wait(for: "callhub_sessions", toBe: { $0 == 3 })
                try hub.wait(for: "callhub_connections", toBe: { $0 == 3 })
                #expect(try hub.metric("callhub_calls") == 2)
                _ = deaf
            }
            try await background.finish()
        }
    }
}
