import BrowserKit
import CallSystem
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of two sample apps on CallKit, as their users run them, and the browser phone, at one hub with sound.
    struct BrowserJoinsTests {
        private static let tones = [PageTone.alice, PageTone.bob, PageTone.carol]

        @Test
        func `a browser joins two apps in a call, and after a swap and a merge each hears whom it should (CK-66)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let folder = try TemporaryFolder()
                let carol = try await environment.page(pages)
                try await carol.signIn(by: "carol", at: environment.hub.url, speaking: PageTone.carol)
                let alice = try await Self.sample("Hotline", "alice", PageTone.alice, environment.hub, folder)
                let bob = try await Self.sample("MonkeyCall", "bob", PageTone.bob, environment.hub, folder)
                try alice.program.type("call bob")
                try await bob.program.line(with: "alice: ringing")
                try bob.program.type("tap accept")
                try await alice.program.line(with: "calls: bob active")
                let alone = (try await alice.hearSecond(), try await bob.hearSecond())

                try await carol.run("await bench.hub.call(\"alice\");")
                try await alice.program.line(with: "calls: bob active, carol connecting")
                try alice.program.type("tap holdAndAccept")
                try await alice.program.line(with: "calls: bob held, carol active")
                try await carol.waitToHear(PageTone.alice)
                let joined = try await alice.hearSecond()
                let whileHeld = try await bob.hearSecond()
                try await carol.waitToHear(PageTone.alice)

                try alice.program.type("tap swap")
                try await alice.program.line(with: "calls: bob active, carol held")
                try await carol.waitToHear()
                let swapped = (try await alice.hearSecond(), try await bob.hearSecond())

                try alice.program.type("group 1 2")
                try await carol.waitToHear(PageTone.alice, PageTone.bob)
                let merged = (try await alice.hearSecond(), try await bob.hearSecond())
                try alice.program.type("end 1")
                try await bob.program.line(with: "alice: ended")
                try alice.program.type("end 1")
                try await alice.program.line(with: "calls: none")
                try await carol.wait(for: "bench.hub.calls.length === 0")
                for sample in [alice, bob] { #expect(try await sample.quit() == 0) }

                let (byAlice, byBob) = (try alice.recording(), try bob.recording())
                #expect(Self.heard(alone.0, in: byAlice) == [PageTone.bob])
                #expect(Self.heard(alone.1, in: byBob) == [PageTone.alice])
                #expect(Self.heard(joined, in: byAlice) == [PageTone.carol])
                #expect(Self.heard(whileHeld, in: byBob) == [])
                #expect(Self.heard(swapped.0, in: byAlice) == [PageTone.bob])
                #expect(Self.heard(swapped.1, in: byBob) == [PageTone.alice])
                #expect(Self.heard(merged.0, in: byAlice) == [PageTone.bob, PageTone.carol])
                #expect(Self.heard(merged.1, in: byBob) == [PageTone.alice, PageTone.carol])
            }
        }

        private static func sample(
            _ name: String,
            _ account: String,
            _ hertz: Int,
            _ hub: BrowserHub,
            _ folder: TemporaryFolder
        ) async throws -> ToneSample {
            let url = "ws://127.0.0.1:\(hub.port)/v1"
            return try await ToneSample(name, as: account, at: url, hertz: Double(hertz), in: folder)
        }

        /// The tones in a part of a recording.
        private static func heard(_ part: Range<Int>, in samples: [Int16]) -> [Int] {
            #expect(part.count >= 24_000 && part.upperBound <= samples.count, "too little was recorded")
            let sound = HeardAudio(samples: Array(samples[part.clamped(to: samples.indices)]))
            return tones.filter { sound.contains(tone: Double($0)) }
        }
    }
}
