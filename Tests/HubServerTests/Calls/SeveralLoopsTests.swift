import Foundation
import HubClient
import HubEngine
import HubTestSupport
import LoopMailbox
import Testing

@testable import HubServer

/// A hub of three loops.
///
/// The other suites test calls between loops if CALLHUB_TEST_LOOPS=3 is set.
struct SeveralLoopsTests {
    private static func hub(_ configure: (inout HubSettings) -> Void = { _ in }) throws -> TestHub {
        try TestHub {
            $0.transport.loops = 3
            configure(&$0)
        }
    }

    @Test func `connections are distributed over the loops, and each loop's metrics contain all of them`() async throws
    {
        let hub = try Self.hub()
        try await blocking {
            let phones = try (0..<30).map { try RawPhone(port: hub.port, account: "person\($0)") }
            for _ in 0..<12 { #expect(try hub.metric("callhub_connections") == 30) }
            for path in ["/healthz", "/readyz"] {
                for _ in 0..<12 { #expect(try HTTPReply.fetch("GET", path, port: hub.port).status == 200) }
            }
            #expect(hub.server.loops.context.count == 3)
            withExtendedLifetime(phones) {}
        }
    }

    @Test func `a client that is closed for its faults is logged once, whatever another loop has still received`()
        async throws
    {
        let log = LogLines()
        let hub = try Self.hub { $0.log.write = { log.write($0) } }
        try await blocking {
            let nonsense = RawWebSocket.bytes(opcode: 1, Array("nonsense".utf8))
            let phones = try (0..<6).map { try RawPhone(port: hub.port, account: "person\($0)") }
            for phone in phones {
                // It may be closed before all is sent.
                try? phone.socket.socket.send(Array(repeating: nonsense, count: 4_000).flatMap(\.self))
                #expect(try phone.readToEnd() == 1008)
            }
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == phones.count })
            #expect(log.count("too many protocol errors") == phones.count)
        }
    }

    @Test func `a port used by another hub is refused, also with several loops`() throws {
        let hub = try Self.hub()
        #expect(throws: TransportError.addressInUse(host: "127.0.0.1", port: hub.port)) {
            _ = try Self.hub { $0.transport.port = hub.port }
        }
    }

    @Test func `requests that arrive faster than the hub can answer wait, and none is lost`() async throws {
        let hub = try Self.hub {
            // These phones answer no ping while they wait.
            $0.transport.silenceTimeout = .seconds(180)
        }
        try await blocking {
            let phones = try (0..<6).map { try RawPhone(port: hub.port, account: "person\($0)") }
            for phone in phones {
                let padding = String(repeating: "x", count: 60_000)
                for number in 0..<40 {
                    let ping = #"{"jsonrpc":"2.0","id":\#(1000 + number),"method":"session.ping","more":"\#(padding)"}"#
                    try phone.socket.send(text: ping)
                }
            }
            for phone in phones {
                var answered: [Int] = []
                while answered.count < 40 {
                    let words = try phone.socket.readFrame().text.split(separator: "\"id\":")
                    if words.count > 1, let id = Int(words[1].prefix(4)) { answered.append(id) }
                }
                #expect(answered == Array(1000..<1040))
            }
        }
    }

    /// The loop that an account's first device is on.
    private static func loop(of account: String, on hub: TestHub) async -> UInt16? {
        await withCheckedContinuation { continuation in
            hub.server.loops.mailbox.post { loop in
                let session = (loop.handler as? PrimaryLoopHandler)?.hub.sessions.of(account).first
                continuation.resume(returning: session?.connection?.loop)
            }
        }
    }

    /// Signs phones in until one is on a loop that fits: the kernel chooses.
    private static func phone(
        _ name: String,
        on hub: TestHub,
        where fits: (UInt16) -> Bool
    ) async throws -> (phone: TestPhone, account: String) {
        for number in 0..<100 {
            let account = "\(name)\(number)"
            let phone = try await hub.phone(account)
            if let loop = await loop(of: account, on: hub), fits(loop) { return (phone, account) }
        }
        throw NoSuchLoop()
    }

    private struct NoSuchLoop: Error {}

    @Test(arguments: [true, false])
    func `audio sent before a hold is received, whichever party is on the hub's own loop`(
        listenerIsThere: Bool
    ) async throws {
        let hub = try Self.hub()
        let listener = try await Self.phone("listener", on: hub) { ($0 == 0) == listenerIsThere }
        let speaker = try await Self.phone("speaker", on: hub) { ($0 == 0) != listenerIsThere }
        let outgoing = try await speaker.phone.client.start(.generic(listener.account))
        var ssrc = try await speaker.phone.activation().ssrc
        let call = try await listener.phone.ringing()
        try await listener.phone.client.answer(call.uuid)
        try await speaker.phone.call("is connected") { $0.state == .connected }
        var heardInAll = 0
        for round in 0..<20 {
            // Packets and hold on their way at once: the packets were first.
            let packets = (0..<3).map { [0x78, UInt8(round), UInt8($0), 0] as [UInt8] }
            try await speaker.phone.say(packets, ssrc: ssrc, from: 3 * round)
            try await speaker.phone.client.setHeld(outgoing, true)
            let heard = try await listener.phone.takeReceivedAudio(reaching: 3).map(\.payload)
            #expect(heard == packets.filter(heard.contains), "round \(round)")
            heardInAll += heard.count
            try await speaker.phone.client.setHeld(outgoing, false)
            ssrc = try await speaker.phone.activation().ssrc
        }
        #expect(try hub.dropped("staleSession") == 0)
        #expect(heardInAll == 60)
    }
}
