import HubClient
import HubEngine
import HubTestSupport
import Testing

/// A connected call whose caller, Alice, is behind a link that can fail; the callee, Bob, is not.
struct FaultyCall {
    let hub: TestHub
    let link: FaultyLink
    let alice: TestPhone
    let bob: TestPhone
    let outgoing: CallUUID
    let incoming: CallUUID
    let aliceSSRC: UInt32
    let bobSSRC: UInt32

    /// Times so short that a test is quick, and long enough that a slow machine is not taken for a lost connection.
    static var quickTiming: ClientTiming {
        var timing = ClientTiming()
        timing.pingAfterIdle = .milliseconds(300)
        timing.lostAfterIdle = .milliseconds(1_200)
        timing.secondConnectionAfterIdle = .milliseconds(600)
        timing.firstRetryDelay = .milliseconds(20)
        timing.maximumRetryDelay = .milliseconds(300)
        return timing
    }

    /// With `findsSilence` the caller soon takes silence for a loss, with `holdsBack` it waits for the hub's reports.
    ///
    /// On a slow machine both are sooner than they should be.
    init(_ hub: TestHub, findsSilence: Bool = false, holdsBack: Bool = false) async throws {
        self.hub = hub
        link = try FaultyLink(to: hub.port)
        alice = try await TestPhone.connect(port: link.port, "alice") { options in
            if findsSilence { options.timing = Self.quickTiming }
            if !holdsBack { options.timing.maximumUnreportedPackets = .max }
        }
        bob = try await hub.phone("bob") { $0.timing.maximumUnreportedPackets = .max }
        outgoing = try await alice.client.start(.generic("bob"))
        aliceSSRC = try await alice.activation().ssrc
        incoming = try await bob.ringing().uuid
        try await bob.client.answer(incoming)
        bobSSRC = try await bob.activation().ssrc
        try await alice.call("is connected") { $0.state == .connected }
        try await bob.settle()
    }
}

/// The audio that one party received of a talk, compared with the audio sent.
struct Recording {
    /// The numbers of the frames received, in order of arrival.
    let numbers: [Int]
    private let heard: [ReceivedAudio]
    private let said: [NumberedAudioSender.Frame]

    /// Compares received packets with sent frames; frames before `first` do not matter.
    init(_ heard: [ReceivedAudio], of said: [NumberedAudioSender.Frame], from first: Int = 0) {
        self.heard = heard.filter { (NumberedAudioSender.number(in: $0.payload) ?? first) >= first }
        self.said = said
        numbers = self.heard.compactMap { NumberedAudioSender.number(in: $0.payload) }
    }

    /// Expects no duplicate, reordered or foreign packet, and the right timestamp on each.
    func expectSound(ssrc: UInt32, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(numbers.count == heard.count, "every packet is a frame of the talk", sourceLocation: sourceLocation)
        let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        #expect(isInOrder, "each frame once, none before its time", sourceLocation: sourceLocation)
        #expect(Set(heard.map(\.ssrc)) == [ssrc], sourceLocation: sourceLocation)
        guard let first = heard.first, let start = numbers.first else { return }
        let isInPlace = zip(heard, numbers).allSatisfy { packet, number in
            packet.timestamp &- first.timestamp == UInt32(truncatingIfNeeded: (number - start) * 960)
        }
        #expect(isInPlace, "the time stamps tell where each frame belongs", sourceLocation: sourceLocation)
    }

    /// The frames that were not received, from the first one received to the last one sent.
    var missing: [Int] {
        guard let first = numbers.first else { return Array(said.indices) }
        let known = Set(numbers)
        return (first..<said.count).filter { !known.contains($0) }
    }

    /// The missing frames that were sent outside of a window; 0.1 s and the machine's pauses are tolerated.
    func missing(outside window: ClosedRange<Instant>) -> [Int] {
        let slack = Duration.milliseconds(100) + said.longestPause
        return missing.filter { number in
            let instant = said[number].instant
            return instant + slack < window.lowerBound || instant > window.upperBound + slack
        }
    }

    /// The longest time between sending and receiving a frame.
    var longestDelay: Duration {
        zip(heard, numbers).map { $0.arrival.since(said[$1].instant) }.max() ?? .zero
    }
}

extension TestPhone {
    /// Waits until half a second of audio is received without a gap; returns its first frame.
    ///
    /// A slow machine takes a while, when many tests begin at once.
    func waitForSteadyAudio(_ talk: NumberedAudioSender) async throws -> Int {
        while true {
            let first = talk.count
            try await hears("frame \(first + 25)") { (NumberedAudioSender.number(in: $0.payload) ?? 0) >= first + 25 }
            let numbers = Set(heard.compactMap { NumberedAudioSender.number(in: $0.payload) })
            if (first...first + 25).allSatisfy(numbers.contains) { return first }
        }
    }
}

extension [NumberedAudioSender.Frame] {
    /// The longest interval between two sent frames minus 20 ms: a measure of the machine's stalls.
    var longestPause: Duration {
        zip(self, dropFirst()).map { $1.instant.since($0.instant) - .milliseconds(20) }.max() ?? .zero
    }
}
