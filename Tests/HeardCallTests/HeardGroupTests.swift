import Foundation
import HubMedia
import HubTestSupport
import Testing

/// Tests of the recordings of three real phones on a real hub, whose calls one of them merges.
@Suite(.serialized) struct HeardGroupTests {
    private static let tones = ["alice": 440.0, "bob": 660, "carol": 880]
    private let hub: HeardHub

    init() async throws { hub = try await HeardHub() }

    /// Starts a phone that sends its tone and records the received audio.
    private func phone(
        _ name: String,
        record ending: String,
        _ arguments: [String] = [],
        isTypedAt: Bool = false
    ) throws -> Program {
        var tone = Tone(hertz: Self.tones[name] ?? 0)
        var writer = try WAVWriter(path: hub.path("\(name)-says.wav"))
        try writer.append(tone.next(30 * AudioFormat.samplesPerSecond))
        try writer.close()
        let files = ["--play", hub.path("\(name)-says.wav"), "--record", hub.path("\(name).\(ending)")]
        return try Program(
            ["phone", name, "--hub", hub.url, "--json"] + files + arguments,
            in: hub.folder,
            isTypedAt: isTypedAt
        )
    }

    /// Returns the last second of a recording without its last half second, in which phones leave one by one.
    private func end(of file: String) throws -> [Int16] {
        Array(try hub.samples(of: file).dropLast(AudioFormat.samplesPerSecond / 2).suffix(AudioFormat.samplesPerSecond))
    }

    /// Returns a tone's median share of the energy (0...1) over pieces of 100 ms, so that a brief stall does not count.
    private static func typicalShare(of tone: Double, in samples: [Int16]) -> Double {
        let length = AudioFormat.samplesPerSecond / 10
        let shares = stride(from: 0, to: samples.count - length + 1, by: length).map { start in
            Sound.shareOfEnergy(at: tone, in: Array(samples[start..<(start + length)]))
        }
        return shares.sorted()[shares.count / 2]
    }

    @Test(.timeLimit(.minutes(3)), arguments: ["wav", "ogg"])
    func `after a merge of three, each recording contains the two others and not itself (CK-47)`(ending: String)
        async throws
    {
        try await expectWithRetries {
            try await recordMerged(ending)
            return try Self.tones.keys.flatMap { try faults(in: $0, ending) }
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `the rest of a merge is heard on when the call that was merged into ends (CK-47)`() async throws {
        try await expectWithRetries {
            let bob = try phone("bob", record: "wav", ["--answer"])
            let carol = try phone("carol", record: "wav", ["--answer"], isTypedAt: true)
            for other in [bob, carol] { try await other.line(with: "signedIn") }
            let alice = try phone("alice", record: "wav", isTypedAt: true)
            for name in ["bob", "carol"] {
                try alice.type("call \(name)")
                try await alice.line(with: "\"handle\":\"\(name)\",\"name\":\"\(name)\",\"ssrc\"")
            }
            try alice.type("merge")
            try await alice.line("with two sources") { $0.split(separator: "\"handle\"").count == 3 }
            try carol.type("quit")
            #expect(await carol.exitCode() == 0)
            for line in ["wait 3", "quit"] { try alice.type(line) }
            #expect(await alice.exitCode() == 0)
            #expect(await bob.exitCode() == 0)
            let share = Self.typicalShare(of: 440, in: try end(of: "bob.wav"))
            return share > 0.9 ? [] : ["alice has a share of \(share) in what bob heard"]
        }
    }

    /// Records the three phones in a group call for two seconds.
    private func recordMerged(_ ending: String) async throws {
        let others = try ["bob", "carol"].map { try phone($0, record: ending, ["--answer"]) }
        for other in others { try await other.line(with: "signedIn") }
        let alice = try phone("alice", record: ending, isTypedAt: true)
        for name in ["bob", "carol"] {
            try alice.type("call \(name)")
            // The sources of her audio are printed when both phones can send.
            try await alice.line(with: "\"handle\":\"\(name)\",\"name\":\"\(name)\",\"ssrc\"")
        }
        try alice.type("merge")
        for phone in others + [alice] {
            try await phone.line("with two sources") { $0.split(separator: "\"handle\"").count == 3 }
        }
        for line in ["calls", "wait 2", "quit"] { try alice.type(line) }
        #expect(await alice.exitCode() == 0)
        for other in others { #expect(await other.exitCode() == 0) }
    }

    /// Returns the speakers that are missing in a listener's recording, or present where they should not be.
    private func faults(in listener: String, _ ending: String) throws -> [String] {
        let heard = try end(of: "\(listener).\(ending)")
        guard heard.count == AudioFormat.samplesPerSecond else { return ["\(listener) has \(heard.count) samples"] }
        return Self.tones.compactMap { speaker, tone in
            let share = Self.typicalShare(of: tone, in: heard)
            let isRight = speaker == listener ? share < 0.01 : share > 0.35
            return isRight ? nil : "\(speaker) has a share of \(share) in what \(listener) heard"
        }
    }
}
