import HubEngine

extension DroppedPackets {
    func writeMembers(to params: inout JSONWriter) {
        params.object("audioSession") { writer in
            writer.member("id", audioSession)
            writer.member("ssrc", ssrc)
        }
        params.object("sent") { writer in
            for reason in Reason.allCases {
                if let count = sent[reason] { writer.member(reason.rawValue, count) }
            }
        }
        params.object("received") { writer in
            if slowConsumer > 0 { writer.member(Self.slowConsumerName, slowConsumer) }
        }
    }

    /// Reads the parameters; reasons of a newer hub are left out.
    init(_ params: JSONMembers) throws(JSONMemberError) {
        let session = try params.object("audioSession", "be an object")
        let received = try params.object("received", "be an object")
        self.init(
            audioSession: try session.uuid("id"),
            ssrc: try session.ssrc("ssrc"),
            slowConsumer: try received.optional(Self.slowConsumerName, Self.requirement) ?? 0
        )
        let counts = try params.object("sent", "be an object")
        for reason in Reason.allCases {
            sent[reason] = try counts.optional(reason.rawValue, as: UInt64.self, Self.requirement)
        }
    }

    private static let slowConsumerName = "slowConsumer"
    private static let requirement = "be a whole number of 0 or more"
}
