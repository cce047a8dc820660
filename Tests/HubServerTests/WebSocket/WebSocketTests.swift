import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// The server compared with RFC 6455, with the same bytes and the same verdicts over every transport.
@Suite struct WebSocketTests {
    static let cases =
        WebSocketCase.framing + WebSocketCase.lengths + WebSocketCase.segments + WebSocketCase.fragments
        + WebSocketCase.utf8 + WebSocketCase.control + WebSocketCase.closing

    @Test(arguments: cases, WireTransport.tested)
    func `a connection conforms to RFC 6455`(webSocketCase: WebSocketCase, transport: WireTransport) throws {
        let peer = try WebSocketPeer(over: transport)
        let expected = webSocketCase.expected
        let verdict = try peer.verdict(of: webSocketCase.steps, expecting: expected)
        #expect(expected.allows(verdict), "observed: \(verdict)")
    }

    @Test(arguments: HandshakeCase.all, WireTransport.tested)
    func `a handshake conforms to RFC 6455`(handshake: HandshakeCase, transport: WireTransport) throws {
        let verdict = try handshake.verdict(over: transport)
        #expect(verdict == handshake.expected, "observed: \(verdict)")
    }

    @Test(arguments: WireTransport.tested)
    func `a handshake split at any byte has the same result`(transport: WireTransport) throws {
        let handshake = try #require(HandshakeCase.all.first)
        for cut in 1..<handshake.request.count {
            #expect(try handshake.verdict(over: transport, cutAt: cut) == handshake.expected, "cut behind byte \(cut)")
        }
    }

    @Test func `each case has a unique name`() {
        let names = Self.cases.map(\.testDescription) + HandshakeCase.all.map(\.testDescription)
        let repeated = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(repeated.isEmpty)
        #expect(names.count >= 300)
    }

    @Test func `each marked deviation differs from the RFC's demand`() {
        for marked in Self.cases {
            guard let deviation = marked.deviation else { continue }
            #expect(deviation.verdict != marked.demand, "\(marked.testDescription)")
        }
        for marked in HandshakeCase.all {
            guard let deviation = marked.deviation else { continue }
            #expect(deviation.verdict != marked.demand, "\(marked.testDescription)")
        }
    }

    @Test func `the document lists each deviation once, and no other`() throws {
        let marks = Set(Self.cases.compactMap(\.deviation?.mark) + HandshakeCase.all.compactMap(\.deviation?.mark))
        #expect(marks == Set(Deviation.allCases))
        let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/websocket.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## Where libwebsockets 4.1.6 deviates\n").last)
        let table = try #require(section.components(separatedBy: "\n## ").first)
        let rows = table.matches(of: /\n\| ([^|]+) \| [0-9.]+ \|/).map { String($0.1) }
        #expect(rows == Deviation.allCases.map(\.rawValue))
    }
}
