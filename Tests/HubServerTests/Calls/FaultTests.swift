import Foundation
import HubTestSupport
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// Every fault of a message and every error of the contract, as a client sees them, during another call.
    struct FaultTests {
        private let hub: TestHub
        private let background: UndisturbedCall

        init() async throws {
            // Their number is not tested here.
            hub = try TestHub { $0.messagesPerSecond = 1_000_000 }
            background = try await UndisturbedCall(hub)
        }

        /// Message, code of the error, and the `id` of the answer as it stands in the text.
        private static let faults: [(text: String, code: Int, id: String)] = [
            // Not JSON.
            ("", -32700, "null"), (" ", -32700, "null"), ("{", -32700, "null"), ("{}{}", -32700, "null"),
            ("hello", -32700, "null"), ("{'jsonrpc':'2.0'}", -32700, "null"), ("{\"id\":01}", -32700, "null"),
            ("{\"id\":NaN}", -32700, "null"), ("{\"id\":1,}", -32700, "null"), ("{\"id\":1.}", -32700, "null"),
            ("{\"id\":\"\u{1}\"}", -32700, "null"), ("{\"id\":\"\0\"}", -32700, "null"), ("\0", -32700, "null"),
            ("{\"id\":\"\\ud800\"}", -32700, "null"), ("{\"id\":\"\\udc00\\ud800\"}", -32700, "null"),
            ("{\"id\":\"\\u12\"}", -32700, "null"), ("{\"id\":\"\\x41\"}", -32700, "null"),
            ("\u{FEFF}{}", -32700, "null"), ("{\"id\":\"open", -32700, "null"), ("// {}", -32700, "null"),
            (String(repeating: "[", count: 30_000), -32700, "null"),
            (String(repeating: "{\"a\":", count: 10_000), -32700, "null"),
            (String(repeating: "[", count: 33) + String(repeating: "]", count: 33), -32700, "null"),
            // JSON, but no request.
            ("[]", -32600, "null"), ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.ping\"}]", -32600, "null"),
            ("1", -32600, "null"), ("1e999", -32600, "null"), ("\"x\"", -32600, "null"), ("null", -32600, "null"),
            ("true", -32600, "null"), ("{}", -32600, "null"), ("{\"id\":1}", -32600, "1"),
            ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"session.ping\"}", -32600, "1"),
            ("{\"jsonrpc\":2.0,\"id\":1,\"method\":\"session.ping\"}", -32600, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1}", -32600, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", -32600, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"session.ping\"}", -32600, "null"),
            ("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"session.ping\"}", -32600, "null"),
            ("{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"session.ping\"}", -32600, "null"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", -32600, "1"),
            // No such method.
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\"}", -32601, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"Session.ping\"}", -32601, "\"a\""),
            ("{\"jsonrpc\":\"2.0\",\"id\":-1.50,\"method\":\"rpc.discover\"}", -32601, "-1.50"),
            ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"call.changed\"}", -32601, "null"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"x\"}", -32601, "1e400"),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901234567890,\"method\":\"x\"}", -32601,
                "123456789012345678901234567890"
            ),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0000\\ud83d\\ude00\",\"method\":\"x\"}", -32601, "\"\\u0000😀\""),
            // Parameters that are none.
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transaction.request\"}", -32602, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transaction.request\",\"params\":[]}", -32602, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transaction.request\",\"params\":\"x\"}", -32602, "1"),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transaction.request\",\"params\":{\"actions\":{}}}", -32602,
                "1"
            ),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transaction.request\",\"params\":{\"actions\":[1]}}",
                -32602, "1"
            ),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"action.fulfill\",\"params\":{}}", -32602, "1"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"action.fulfill\",\"params\":{\"action\":7}}", -32602, "1"),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"provider.configure\",\"params\":{\"provider\":7}}", -32602,
                "1"
            ),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"provider.executed\",\"params\":{\"transaction\":null}}",
                -32602,
                "1"
            ),
        ]

        @Test func `every fault of a message is answered with its code, and the connection stays open`() async throws {
            let hub = hub
            try await blocking {
                let phone = try RawPhone(port: hub.port, account: "alice")
                for fault in Self.faults {
                    try phone.socket.send(text: fault.text)
                    let text = try phone.readText()
                    let beginning = text.prefix(200)
                    #expect(text.contains("\"id\":\(fault.id),"), "\(fault.text.prefix(80)) → \(beginning)")
                    #expect(text.contains("\"code\":\(fault.code),"), "\(fault.text.prefix(80)) → \(beginning)")
                    #expect(text.contains("\"message\":\"") && !text.contains("\"result\""), "\(beginning)")
                }
                #expect(try phone.ask("session.ping").result != nil)
                #expect(try hub.metric("callhub_errors_total{code=\"-32700\"}") >= 20)
            }
            try await background.finish()
        }

        @Test func `a request without an id gets no reply, a repeated one gets one reply`() async throws {
            let hub = hub
            try await blocking {
                let phone = try RawPhone(port: hub.port, account: "alice")
                for text in [
                    "{\"jsonrpc\":\"2.0\",\"method\":\"session.ping\"}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"no.such\",\"params\":[]}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"transaction.request\",\"params\":{\"actions\":[]}}",
                ] {
                    try phone.socket.send(text: text)
                }
                #expect(try phone.ask("session.ping").result != nil, "the next answer is this one's")
                let twice =
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":8,\"method\":\"session.ping\",\"params\":{\"t\":1,\"t\":2}}"
                try phone.socket.send(text: twice)
                let text = try phone.readText()
                #expect(text.contains("\"id\":7,") || text.contains("\"id\":8,"))
                #expect(try phone.ask("session.ping", ["t": "x"]).result?["t"] as? String == "x")
            }
            try await background.finish()
        }

        @Test func `every error has its code, its name and a sentence`() async throws {
            let hub = hub
            try await blocking {
                let stranger = try RawPhone(port: hub.port)
                for method in [
                    "session.ping", "session.close", "transaction.request", "action.fulfill", "action.fail",
                    "provider.executed",
                    "provider.configure", "provider.invalidate", "provider.reportNewIncomingCall",
                    "provider.reportCall",
                    "provider.reportCallEnded", "provider.reportOutgoingCall", "provider.pending", "observer.calls",
                ] {
                    try stranger.expect(401, "notSignedIn", for: method)
                }
                try stranger.expect(-32602, nil, for: "session.open")
                try stranger.expect(-32602, nil, for: "session.open", ["account": ""])
                try stranger.expect(-32602, nil, for: "session.open", ["account": "x", "fulfillment": "sometimes"])
                try stranger.expect(409, "conflict", for: "session.open", ["account": "echo"])
                try stranger.expect(
                    440,
                    "sessionGone",
                    for: "session.open",
                    ["resume": ["session": "x", "token": "y", "seq": 0]]
                )

                let alice = try RawPhone(port: hub.port, account: "alice", ["provider": ["maximumCallGroups": 1]])
                try alice.expect(409, "conflict", for: "session.open", ["account": "alice"])
                let nobody = UUID().uuidString
                try alice.refuses(103, "emptyTransaction", [], at: nil)
                let unknown = try alice.refuses(104, "unknownCallUUID", [["type": "end", "callUUID": nobody]])
                #expect((unknown["calls"] as? [Any])?.isEmpty == true)
                let call = UUID().uuidString.lowercased()
                try alice.request("start", call, ["handle": ["type": "generic", "value": "echo"]])
                try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
                let one = try alice.refuses(104, "unknownCallUUID", [["type": "end", "callUUID": nobody]])
                #expect((one["calls"] as? [RawPhone.Object])?.map { $0["uuid"] as? String } == [call])
                let echo: RawPhone.Object = ["type": "generic", "value": "echo"]
                try alice.refuses(105, "callUUIDAlreadyExists", [["type": "start", "callUUID": call, "handle": echo]])
                try alice.refuses(106, "invalidAction", [["type": "answer", "callUUID": call]])
                try alice.refuses(
                    106,
                    "invalidAction",
                    [["type": "setMuted", "callUUID": call, "isMuted": true], ["type": "answer", "callUUID": call]],
                    at: 1
                )
                try alice.refuses(106, "invalidAction", [["type": "teleport", "callUUID": call]])
                try alice.refuses(
                    107,
                    "maximumCallGroupsReached",
                    [["type": "start", "callUUID": nobody, "handle": echo]]
                )
                let name = UUID().uuidString
                let mute: RawPhone.Object = ["type": "setMuted", "callUUID": call, "isMuted": true, "uuid": name]
                try alice.refuses(602, "invalidArgument", [mute, mute], at: 1)
                try alice.refuses(602, "invalidArgument", [["type": "end", "callUUID": "x"]])
                try alice.refuses(
                    602,
                    "invalidArgument",
                    [["type": "start", "callUUID": nobody, "handle": ["type": "smoke", "value": "x"]]]
                )
                try alice.expect(602, "invalidArgument", for: "action.fulfill", ["action": "x"])
                try alice.expect(404, "notFound", for: "provider.reportCall", ["callUUID": nobody, "update": [:]])
                try alice.expect(
                    404,
                    "notFound",
                    for: "provider.reportCallEnded",
                    ["callUUID": nobody, "reason": "failed"]
                )
                try alice.expect(
                    403,
                    "notAllowed",
                    for: "provider.reportOutgoingCall",
                    ["callUUID": call, "event": "connected"]
                )
                try alice.expect(
                    602,
                    "invalidArgument",
                    for: "provider.reportNewIncomingCall",
                    ["callUUID": nobody, "update": ["remoteHandle": ["type": "smoke", "value": "x"]]]
                )
                #expect(try alice.ask("action.fulfill", ["action": nobody]).result?["ignored"] as? Bool == true)
                #expect(try alice.ask("action.fail", ["action": nobody]).result?["ignored"] as? Bool == true)
                let offer: RawPhone.Object = ["transaction": nobody, "handled": true]
                #expect(try alice.ask("provider.executed", offer).result?["ignored"] as? Bool == true)
                #expect(try alice.ask("provider.invalidate").result?.isEmpty == true)
                try alice.refuses(
                    102,
                    "unknownCallProvider",
                    [["type": "start", "callUUID": nobody, "handle": echo]],
                    at: nil
                )
                #expect(try alice.ask("observer.calls").result != nil, "the connection has outlived it all")
            }
            try await background.finish()
        }

        @Test func `a draining hub refuses new calls and continues existing ones`() async throws {
            let hub = try TestHub { $0.drainGrace = .seconds(60) }
            try await blocking {
                let alice = try RawPhone(port: hub.port, account: "alice")
                let stranger = try RawPhone(port: hub.port)
                let echo: RawPhone.Object = ["type": "generic", "value": "echo"]
                let call = UUID().uuidString.lowercased()
                try alice.request("start", call, ["handle": echo])
                try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
                hub.server.drain()
                let closing = try alice.next("session.closing")
                #expect(closing["reason"] as? String == "draining")
                let wait = closing["retryAfterSeconds"] as? Int ?? 0
                #expect((61...71).contains(wait), "the grace, and a little by chance")
                try alice.refuses(503, "draining", [["type": "start", "callUUID": UUID().uuidString, "handle": echo]])
                try stranger.expect(503, "draining", for: "session.open", ["account": "bob"])
                alice.socket.socket.reset()
                try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
                #expect(try alice.resume().result?["resumed"] as? Bool == true, "a lost connection can be resumed")
                try alice.request("end", call)
                #expect(try alice.readToEnd() == 1001)
            }
            hub.server.waitUntilStopped()
            try await background.finish()
        }
    }
}

extension RawPhone {
    /// Reads the next text that is not a notification.
    func readText() throws -> String {
        while true {
            let frame = try socket.readFrame(timeout: 20)
            if frame.opcode == 8 { throw RawSocketError.unexpectedReply("close \(frame.closeCode ?? 1005)") }
            if frame.opcode == 1, !frame.text.contains("\"seq\":") { return frame.text }
        }
    }

    /// Sends a request that must be refused; returns the error's data.
    @discardableResult
    func expect(
        _ code: Int,
        _ name: String?,
        for method: String,
        _ params: Object = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Object {
        let reply = try ask(method, params)
        #expect(reply.errorCode == code, "\(method) → \(reply)", sourceLocation: sourceLocation)
        #expect(reply.errorData["name"] as? String == name, "\(reply)", sourceLocation: sourceLocation)
        #expect(reply.errorMessage.split(separator: " ").count > 3, "\(reply)", sourceLocation: sourceLocation)
        let domains = [
            1: "com.apple.CallKit.error.requesttransaction", 2: "com.apple.CallKit.error.incomingcall",
            3: "com.apple.CallKit.error.calldirectorymanager", 6: "com.apple.CallKit.error",
        ]
        let domain = code > 0 ? domains[code / 100] : nil
        #expect(reply.errorData["domain"] as? String == domain, "\(reply)", sourceLocation: sourceLocation)
        #expect(
            reply.errorData["code"] as? Int == (domain == nil ? nil : code % 100),
            "\(reply)",
            sourceLocation: sourceLocation
        )
        return reply.errorData
    }

    /// Requests a transaction that must be refused for the action at an index; returns the error's data.
    @discardableResult
    func refuses(
        _ code: Int,
        _ name: String,
        _ actions: [Object],
        at index: Int? = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Object {
        let place = actions.isEmpty ? nil : index
        let data = try expect(
            code,
            name,
            for: "transaction.request",
            ["actions": actions],
            sourceLocation: sourceLocation
        )
        #expect(data["actionIndex"] as? Int == place, "\(data)", sourceLocation: sourceLocation)
        return data
    }
}
