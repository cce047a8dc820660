import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// A hub of three loops.
///
/// That calls between them are as all others, the other suites show, run with CALLHUB_TEST_LOOPS=3.
struct SeveralLoopsTests {
    private static func hub(_ configure: (inout HubSettings) -> Void = { _ in }) throws -> TestHub {
        try TestHub {
            $0.transport.loops = 3
            configure(&$0)
        }
    }

    @Test func `connections are spread over the loops, and each tells of all`() async throws {
        let hub = try Self.hub()
        try await blocking {
            let phones = try (0..<30).map { try RawPhone(port: hub.port, account: "person\($0)") }
            for _ in 0..<12 { #expect(try hub.metric("callhub_connections") == 30) }
            for path in ["/healthz", "/readyz"] {
                for _ in 0..<12 { #expect(try HTTPReply.fetch("GET", path, port: hub.port).status == 200) }
            }
            #expect(hub.server.loops.network.count == 3)
            withExtendedLifetime(phones) {}
        }
    }

    @Test func `a port that another hub has is taken, for several loops too`() throws {
        let hub = try Self.hub()
        #expect(throws: TransportError.addressInUse(host: "127.0.0.1", port: hub.port)) {
            _ = try Self.hub { $0.transport.port = hub.port }
        }
    }

    @Test func `what a client asks for faster than the hub can answer waits, and nothing is lost`() async throws {
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
}
