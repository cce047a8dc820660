import HubEngine
import HubWire
import Testing

/// Random messages of both sides, encoded and decoded.
@Suite struct RoundTripTests {
    /// Each seed draws this many values of each kind.
    private static let rounds = 400

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a request is read as written`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.rounds {
            let (id, request) = (random.maybe { $0.requestID() }, random.clientRequest())
            var bytes: [UInt8] = []
            request.encode(id: id, into: &bytes)
            let message = IncomingMessage(parsing: bytes)
            #expect(message.id == id, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            #expect(message.method == request.method)
            #expect(try message.content.get() == request, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a notification is read as written`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.rounds {
            try expectRoundTrip(.notification(seq: random.next(), random.wireNotification()), seed)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a reply is read as written`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.rounds {
            let outcome = try #require(random.reply().outcome)
            try expectRoundTrip(.reply(random.requestID(), outcome), seed)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a reply with account data is read as written (CK-11, CK-13, CK-71, CK-75)`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.rounds {
            try expectRoundTrip(.reply(random.requestID(), .success(ReplyPayload(random.accountDataReply()))), seed)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `the server's own replies are read as written`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.rounds {
            try expectRoundTrip(.reply(random.requestID(), .success(random.serverReply())), seed)
        }
    }

    @Test func `every error code is read as written`() throws {
        for code in ErrorCode.known + [.other(999, name: "newer"), .other(-1, name: nil)] {
            try expectRoundTrip(.reply(RequestID(1), .failure(WireError(code, "no"))), 0)
        }
    }

    @Test func `a closing notification is read as written, also with an unknown reason`() throws {
        let reasons: [ClosingReason] =
            SessionEnd.allCases.map { ClosingReason($0) }
            + [.slowConsumer, .policy, .signedOut, ClosingReason(rawValue: "newer")]
        for reason in reasons {
            for seconds in [nil, 5] {
                try expectRoundTrip(.notification(seq: 1, .closing(reason, retryAfterSeconds: seconds)), 0)
                let elsewhere = WireNotification.closing(reason, retryAfterSeconds: seconds, url: "wss://b.example/v1")
                try expectRoundTrip(.notification(seq: 1, elsewhere), 0)
            }
        }
    }

    @Test func `drop counts are written as in the reference, and unknown reasons are ignored`() throws {
        let audio = try #require(AudioSessionUUID(uuidText: "0196f3b0-0000-7000-8000-000000000001"))
        let dropped = DroppedPackets(audioSession: audio, ssrc: 7, sent: [.muted: 3, .held: 12], slowConsumer: 4)
        var bytes: [UInt8] = []
        HubMessage.notification(seq: 1, .packetsDropped(dropped)).encode(into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        let expected =
            #"{"jsonrpc":"2.0","method":"audio.packetsDropped","params":{"seq":1,"audioSession":"#
            + #"{"id":"0196f3b0-0000-7000-8000-000000000001","ssrc":7},"sent":{"held":12,"muted":3},"#
            + #""received":{"slowConsumer":4}}}"#
        #expect(text == expected)
        let newer = text.replacing(#""sent":{"#, with: #""sent":{"newer":1,"#)
        #expect(try HubMessage(parsing: Array(newer.utf8)) == .notification(seq: 1, .packetsDropped(dropped)))
    }

    @Test func `encoding appends to a buffer without changing its content`() {
        var bytes: [UInt8] = [0, 1, 2]
        HubMessage.notification(seq: 1, .didReset).encode(into: &bytes)
        let text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
        #expect(text == #"{"jsonrpc":"2.0","method":"provider.didReset","params":{"seq":1}}"#)
        #expect(bytes.prefix(3) == [0, 1, 2])
    }

    private func expectRoundTrip(_ message: HubMessage, _ seed: UInt64) throws {
        var bytes: [UInt8] = []
        message.encode(into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(RawJSON(bytes) != nil, "seed \(seed): not JSON: \(text)")
        #expect(try HubMessage(parsing: bytes) == message, "seed \(seed): \(text)")
    }
}
