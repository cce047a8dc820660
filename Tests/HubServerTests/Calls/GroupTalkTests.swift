import HubClient
import HubEngine
import HubTestSupport
import Testing

/// The audio of a group while it changes: every frame is numbered, so that gaps are detected.
struct GroupTalkTests {
    /// Sends audio of all parties before, during and after a change.
    private struct Talks {
        let said: [String: [NumberedAudioSender.Frame]]
        let heard: [String: [ReceivedAudio]]
        private let trio: Trio

        init(_ trio: Trio, during change: () async throws -> Void) async throws {
            self.trio = trio
            for (_, phone) in trio.phones { _ = phone.takeReceivedAudio() }
            let talks = trio.phones.map { (name: $0.name, talk: NumberedAudioSender($0.phone.client)) }
            for (_, talk) in talks { await talk.reaches(15) }
            // On a slow machine some of it is on its way yet.
            try await trio.settle()
            try await change()
            try await trio.settle()
            for (_, talk) in talks { await talk.reaches(talk.count + 15) }
            said = Dictionary(uniqueKeysWithValues: talks.map { ($0.name, $0.talk.stop()) })
            try await trio.settle()
            heard = Dictionary(uniqueKeysWithValues: trio.phones.map { ($0.name, $0.phone.takeReceivedAudio()) })
        }

        /// Returns the audio that a listener received from a speaker.
        func recording(_ speaker: String, by listener: String) throws -> Recording {
            let phone = try #require(trio.phones.first { $0.name == listener }).phone
            let packets = (heard[listener] ?? []).filter {
                phone.namedSources[$0.ssrc]?.handle == .generic(speaker)
            }
            return Recording(packets, of: said[speaker] ?? [])
        }

        /// Checks that one has received all audio of another, once and in order.
        func expectWhole(
            _ speaker: String,
            by listener: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let said = said[speaker] ?? []
            #expect(said.allSatisfy { $0.outcome == .sent }, sourceLocation: sourceLocation)
            try expectNoGap(0..<said.count, speaker, by: listener, sourceLocation: sourceLocation)
        }

        /// Checks that one has received all audio of another since the first frame received.
        func expectEnd(
            _ speaker: String,
            by listener: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let count = said[speaker]?.count ?? 0
            let first = try recording(speaker, by: listener).numbers.first ?? count
            #expect(count - first >= 10, sourceLocation: sourceLocation)
            try expectNoGap(first..<count, speaker, by: listener, sourceLocation: sourceLocation)
        }

        /// Expects the beginning of a talk, at least 10 frames without a gap, and not its last frame.
        func expectBeginning(
            _ speaker: String,
            by listener: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let end = (try recording(speaker, by: listener).numbers.last ?? -1) + 1
            let count = said[speaker]?.count ?? 0
            #expect((10..<count).contains(end), sourceLocation: sourceLocation)
            try expectNoGap(0..<end, speaker, by: listener, sourceLocation: sourceLocation)
        }

        /// Nothing is missing but what a stalled machine has made too old, which the hub has counted.
        private func expectNoGap(
            _ frames: Range<Int>,
            _ speaker: String,
            by listener: String,
            sourceLocation: SourceLocation
        ) throws {
            let numbers = try recording(speaker, by: listener).numbers
            let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
            #expect(isInOrder, "\(speaker) by \(listener)", sourceLocation: sourceLocation)
            let missing = Set(frames).subtracting(numbers)
            let stale = try trio.hub.dropped("late") + trio.hub.dropped("slowConsumer")
            #expect(missing.count <= stale, "\(speaker) by \(listener)", sourceLocation: sourceLocation)
        }
    }

    @Test func `after a split the held party receives no audio once notified, the other without a gap (CK-49)`()
        async throws
    {
        let trio = try await Trio()
        try await trio.merge()
        trio.alice.countAsStrays(while: { $0.contains(where: \.remoteIsOnHold) })
        let talks = try await Talks(trio) {
            try await trio.bob.client.setGroup(trio.withCarol.bob, with: nil)
            try await trio.alice.call("is held by Bob") { $0.remoteIsOnHold }
        }
        #expect(trio.alice.sources.isEmpty)
        try talks.expectWhole("bob", by: "carol")
        try talks.expectWhole("carol", by: "bob")
        for (speaker, listener) in [("bob", "alice"), ("carol", "alice"), ("alice", "bob"), ("alice", "carol")] {
            try talks.expectBeginning(speaker, by: listener)
        }
        for (name, phone) in trio.phones { #expect(phone.strays.isEmpty, "\(name) hears nobody unnamed") }
    }

    @Test func `a merge interrupts no forwarded audio (CK-47)`() async throws {
        let trio = try await Trio()
        let talks = try await Talks(trio) {
            try await trio.merge()
        }
        try talks.expectWhole("bob", by: "carol")
        try talks.expectWhole("carol", by: "bob")
        for (speaker, listener) in [("bob", "alice"), ("carol", "alice"), ("alice", "bob"), ("alice", "carol")] {
            try talks.expectEnd(speaker, by: listener)
        }
        for (name, phone) in trio.phones { #expect(phone.strays.isEmpty, "\(name) hears nobody unnamed") }
    }

    @Test func `when a member leaves the others receive audio without a gap (CK-50)`() async throws {
        let trio = try await Trio()
        try await trio.merge()
        trio.alice.countAsStrays(while: \.isEmpty)
        let talks = try await Talks(trio) {
            try await trio.bob.client.end(trio.withAlice.bob)
            try await trio.alice.call("has ended") { $0.hasEnded }
        }
        try talks.expectWhole("bob", by: "carol")
        try talks.expectWhole("carol", by: "bob")
        try talks.expectBeginning("bob", by: "alice")
        for (name, phone) in trio.phones { #expect(phone.strays.isEmpty, "\(name) hears nobody unnamed") }
    }
}
