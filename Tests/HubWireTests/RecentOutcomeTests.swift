import HubAccountData
import HubEngine
import HubWire
import Testing

/// The outcome of a call in Recents, in the notation of docs/protocol.md.
@Suite struct RecentOutcomeTests {
    private static func reply(_ outcome: RecentCall.Outcome) -> String {
        let call = RecentCall(
            id: RecentUUID(high: 1, low: 2),
            handle: .generic("bob"),
            name: "Bob",
            isOutgoing: true,
            outcome: outcome,
            startedAt: Instant(nanoseconds: 0),
            endedAt: Instant(nanoseconds: 0)
        )
        var bytes: [UInt8] = []
        HubMessage.reply(RequestID(1), .success(.recents([RecentEntry(call)]))).encode(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func outcome(in reply: String) throws -> RecentCall.Outcome? {
        guard case .reply(_, .success(.recents(let entries))) = try HubMessage(parsing: Array(reply.utf8)) else {
            return nil
        }
        return entries.first?.call.outcome
    }

    @Test func `an unanswered call is a cancelled one with a reason, so that older clients can read it (CK-22)`() throws
    {
        let reply = Self.reply(.unanswered)
        #expect(reply.contains(#""outcome":"cancelled","endedReason":"unanswered""#))
        #expect(try Self.outcome(in: reply) == .unanswered)
    }

    @Test(arguments: [RecentCall.Outcome.cancelled, .declined, .failed])
    func `a call that ended otherwise has no reason (CK-25)`(outcome: RecentCall.Outcome) throws {
        let reply = Self.reply(outcome)
        #expect(!reply.contains("endedReason"))
        #expect(try Self.outcome(in: reply) == outcome)
    }

    @Test func `a reason that is not known changes nothing`() throws {
        let reply = Self.reply(.unanswered).replacing("unanswered", with: "new")
        #expect(try Self.outcome(in: reply) == .cancelled)
    }
}
