import BrowserKit
import Foundation
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of latency over networks that delay and stall: Bob is behind one and receives Alice's sweep.
    struct LatencyTests {
        @Test(.timeLimit(.minutes(2)), arguments: Way.allCases)
        func `random delays up to 120 ms add at most 170 ms of latency and lose no audio`(way: Way) async throws {
            try await Self.calmly { environment, pages, faults in
                let pair = try await Pair(environment, pages, way)
                pair.link.setSlowness(FaultyLink.Slowness(delay: .zero ... .milliseconds(120)), way.directions)
                // The jitter buffer has adapted after two seconds; the figures of concealment cover ten.
                let start = try await passed(2, at: pair.late) + 1_000
                _ = try await passed(isThorough ? 20 : 11, at: pair.late)
                let heard = try await pair.late.latencySamples(since: start).medianFiltered
                let clean = try await pair.clean.latencySamples(since: start).medianFiltered
                try Plot.write(heard, from: start, "jitter-\(way)")
                let allowance = Allowance(clean)
                faults += heard.faults(0.5, below: 170, allowance, "\(way)")
                let concealed = try await pair.late.value("bench.hub.quality").concealedMilliseconds
                let anyway = try await pair.clean.value("bench.hub.quality").concealedMilliseconds
                if concealed > (isThorough ? 0 : 2 * anyway + 300) {
                    faults.append("\(way): \(concealed) ms of ten seconds were concealed, and \(anyway) without delays")
                }
            }
        }

        @Test(.timeLimit(.minutes(2)), arguments: [300, 2_000], Way.allCases)
        func `audio recovers within a second after a stall, and none older than half a second is played`(
            milliseconds: Int,
            way: Way
        ) async throws {
            try await Self.calmly { environment, pages, faults in
                let pair = try await Pair(environment, pages, way)
                let start = try await passed(isThorough ? 4 : 2, at: pair.late) - 1_500
                let from = try await pair.late.now()
                pair.link.stallTraffic(way.directions)
                _ = try await passed(Double(milliseconds) / 1_000, at: pair.late)
                pair.link.restore()
                let end = try await pair.late.now()
                _ = try await passed(isThorough ? 4 : 2.5, at: pair.late)
                let heard = try await pair.late.latencySamples(since: start).medianFiltered
                let clean = try await pair.clean.latencySamples(since: start).medianFiltered
                try Plot.write(heard, from: start, "stall-\(milliseconds)-\(way)", stall: from...end)
                let allowance = Allowance(clean.from(start, until: from) + clean.from(end + 1_000, until: .infinity))
                faults += heard.from(start, until: from).faults(0.5, below: 120, allowance, "before the stall")
                let oldest = heard.compactMap(\.milliseconds).max() ?? 0
                let events = try await [pair.late.value("bench.events"), pair.clean.value("bench.events")]
                if oldest > 500 * allowance.factor {
                    faults.append("the oldest that was heard is of \(oldest) ms (\(allowance)); \(events)")
                }
                let after = heard.from(end + 1_000, until: .infinity)
                if after.filter({ $0.milliseconds != nil }).count <= after.count * 8 / 10 {
                    faults.append("it is not heard again")
                }
                faults += after.faults(0.9, below: 120, allowance, "a second after the stall")
            }
        }

        /// Measures; in `make test` up to three times, so that a machine that is briefly busy fails no test.
        private static func calmly(_ measure: (BrowserTestEnvironment, OpenPages, inout [String]) async throws -> Void)
            async throws
        {
            func faults() async throws -> [String] {
                var faults: [String] = []
                try await BrowserTestEnvironment.set { environment, pages in
                    try await measure(environment, pages, &faults)
                }
                return faults
            }
            if isThorough { return #expect(try await faults() == []) }
            try await expectWithRetries(tries: 3) { try await faults() }
        }

        /// Waits until audio of so many seconds has been measured, and returns the time of the end.
        private func passed(_ seconds: Double, at page: ChromiumPage) async throws -> Double {
            let end = try await page.now() + seconds * 1_000
            try await page.run(
                "await bench.until(() => bench.detector.pitches.at(-1).at > \(end), 60000);",
                within: seconds + 20
            )
            return end
        }
    }
}

/// The direction in which the network is bad; the other direction shows how busy the machine is.
enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case down, up

    var testDescription: String { rawValue }

    var directions: FaultyLink.Directions { self == .down ? .fromHub : .toHub }
}

/// Alice, connected to the hub, and Bob, behind a faulty link, in a call; both send the sweep.
private struct Pair {
    let link: FaultyLink
    /// The page that receives over the bad network.
    let late: ChromiumPage
    /// The page that receives over the good network.
    let clean: ChromiumPage

    init(_ environment: BrowserTestEnvironment, _ pages: OpenPages, _ way: Way) async throws {
        link = try FaultyLink(to: environment.hub.port)
        pages.links.append(link)
        let alice = try await environment.page(pages)
        let bob = try await environment.page(pages)
        try await alice.openClientTestPage(environment.hub.url, as: "alice", speaking: nil)
        try await bob.openClientTestPage("http://127.0.0.1:\(link.port)/", as: "bob", speaking: nil)
        try await alice.call("bob", at: bob)
        for page in [alice, bob] {
            try await page.run(
                "await bench.until(() => bench.detector.pitches.slice(-50).every(pitch => pitch.rms > 0.02) "
                    + "&& bench.detector.pitches.length > 50);"
            )
        }
        (late, clean) = way == .down ? (bob, alice) : (alice, bob)
    }
}

/// The factor by which time limits are wider in `make test`, whose machine may be busy with other things.
///
/// It is the latency over the good network at the same time, relative to that on a quiet machine, and 1 in
/// `make test-browser`.
private struct Allowance: CustomStringConvertible {
    /// The factor of a limit, at least 1.
    let factor: Double
    /// The 95th percentile of latency over the good network in milliseconds.
    private let clean: Double?

    /// The lowest 95th percentile of latency over the good network, in milliseconds.
    ///
    /// The random delays of one direction cost more on a busy machine than the other direction.
    private static let quiet = 60.0
    /// The smallest factor in `make test`; a quiet machine's median comes within a hundredth of the limit.
    private static let least = 1.2

    init(_ latencySamples: [LatencySample]) {
        clean = latencySamples.quantile(0.95)
        factor = isThorough ? 1 : max(Self.least, (clean ?? 0) / Self.quiet)
    }

    var description: String { "without it \(clean.map { String(Int($0)) } ?? "?") ms" }
}

extension [LatencySample] {
    /// Returns a fault if the quantile of latency exceeds a limit in milliseconds.
    fileprivate func faults(_ share: Double, below limit: Double, _ allowance: Allowance, _ words: String) -> [String] {
        guard let age = quantile(share) else { return ["\(words): nothing was heard"] }
        return age <= limit * allowance.factor ? [] : ["\(words): \(age) ms, and \(limit) are allowed (\(allowance))"]
    }
}

extension JSON {
    /// The concealed audio of a quality report, in milliseconds.
    fileprivate var concealedMilliseconds: Double { self["concealed"].number ?? .infinity }
}

/// Writes latency over time for people to look at: `.build/latency/NAME.csv` and `.svg`.
enum Plot {
    static func write(
        _ latencySamples: [LatencySample],
        from start: Double,
        _ name: String,
        stall: ClosedRange<Double>? = nil
    ) throws {
        let folder = SourceTree.path(".build/latency")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let rows = latencySamples.map { "\(Int($0.at - start)),\($0.milliseconds.map { String(Int($0)) } ?? "")\n" }
        try Data(("ms,age\n" + rows.joined()).utf8).write(to: URL(filePath: "\(folder)/\(name).csv"))
        let length = max(1, (latencySamples.last?.at ?? start) - start)
        func x(_ at: Double) -> Int { 50 + Int((at - start) / length * 900) }
        func y(_ age: Double) -> Int { 340 - Int(min(age, 800) / 800 * 320) }
        var svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 370\" font-family=\"sans-serif\""
        svg += " font-size=\"12\"><rect width=\"960\" height=\"370\" fill=\"#fff\"/>"
        if let stall {
            svg += "<rect x=\"\(x(stall.lowerBound))\" y=\"20\" height=\"320\" fill=\"#f3d9d9\" "
            svg += "width=\"\(x(stall.upperBound) - x(stall.lowerBound))\"/>"
        }
        for age in stride(from: 0, through: 800, by: 100) {
            svg +=
                "<path d=\"M50 \(y(Double(age)))H950\" stroke=\"#ddd\"/><text x=\"4\" y=\"\(y(Double(age)) + 4)\">\(age)"
            svg += " ms</text>"
        }
        for age in latencySamples {
            guard let milliseconds = age.milliseconds else { continue }
            svg += "<circle cx=\"\(x(age.at))\" cy=\"\(y(milliseconds))\" r=\"1.5\" fill=\"#14508c\"/>"
        }
        svg += "<text x=\"50\" y=\"360\">\(name), \(Int(length / 1_000)) s</text></svg>\n"
        try Data(svg.utf8).write(to: URL(filePath: "\(folder)/\(name).svg"))
    }
}
