import BrowserKit
import Foundation
import HubTestSupport
import Testing

/// Measures the CPU time of a page in a call, beside a WebRTC call in the same browser: `make bench-browser`.
@Suite(.enabled(if: reportFile != nil, "make bench-browser runs it"), .timeLimit(.minutes(20)))
struct CPUBenchmark {
    @Test func `a call costs at most twice the CPU time of a WebRTC call, and an idle phone less than 0.5 %`()
        async throws
    {
        let folder = try TemporaryFolder()
        var options = Chromium.Options()
        options.microphoneFile = folder.path + "/voice.wav"
        try Voice.wav(seconds: 12).write(to: URL(filePath: folder.path + "/voice.wav"))
        options.more = ["--disable-features=WebRtcHideLocalIpsWithMdns"]
        let browser = try await Chromium(.headlessShell, options)
        var figures: [String: [Double]] = [:]
        var threads: [String: [String: Double]] = [:]
        for round in 1...rounds {
            for subject in Subject.all {
                let usage = try await subject.measure(in: browser)
                try #require(usage.percent > 0, "the browser's threads are found")
                figures[subject.name, default: []].append(usage.percent)
                threads[subject.name] = usage.threads
                print("round \(round): \(subject.name): \(usage)")
            }
        }
        let medians = figures.mapValues { $0.sorted()[$0.count / 2] }
        let report = CPUReport(percentOfCoreAPage: medians, rounds: figures, threads: threads)
        try report.write(to: try #require(reportFile))
        if let phone = medians["phone"], let webRTC = medians["webrtc"] {
            #expect(webRTC > 1, "a call costs something")
            #expect(phone <= 2 * webRTC)
        }
        if let phone = medians["phone"], let before = medians["phone-before"] {
            #expect(phone <= before / 2, "half of what the older phone costs")
        }
        if let idle = medians["idle"] { #expect(idle < 0.5) }
    }
}

/// The file that the figures are written to; nil: none are measured.
private let reportFile = ProcessInfo.processInfo.environment["BROWSER_BENCH"]
private let rounds = number("BROWSER_BENCH_ROUNDS", default: 3)
private let seconds = number("BROWSER_BENCH_SECONDS", default: 10)
/// A folder with another version of `web-static`, measured as `before`.
private let former = ProcessInfo.processInfo.environment["BROWSER_BENCH_BEFORE"]

private func number(_ name: String, default value: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.map { max(1, $0) } ?? value
}

/// Two pages whose CPU time is measured.
private struct Subject: Sendable {
    let name: String
    /// The folder of the web phone; nil: the checkout's.
    var web: String?
    let begin: @Sendable (_ one: ChromiumPage, _ two: ChromiumPage, _ url: String) async throws -> Void

    static var all: [Subject] {
        let before = former.map { folder in
            [
                Subject(name: "idle-before", web: folder) { try await phones($0, $1, $2, calling: false) },
                Subject(name: "phone-before", web: folder) { try await phones($0, $1, $2, calling: true) },
            ]
        }
        let chosen = ProcessInfo.processInfo.environment["BROWSER_BENCH_ONLY"]?.split(separator: ",").map(String.init)
        return ((before ?? []) + now).filter { chosen?.contains($0.name) != false }
    }

    private static let now = [
        Subject(name: "idle") { try await phones($0, $1, $2, calling: false) },
        Subject(name: "phone") { try await phones($0, $1, $2, calling: true) },
        Subject(name: "library") { try await library($0, $1, $2) },
        Subject(name: "libopus") { one, two, url in
            for page in [one, two] { try await page.removeWebCodecs() }
            try await library(one, two, url)
        },
        Subject(name: "webrtc") { try await webRTC($0, $1, $2) },
    ]

    /// Opens the pages, measures them, and closes them.
    func measure(in browser: Chromium) async throws -> CPUUsage {
        let hub = try await BrowserHub(phone: web, pages: BrowserTestEnvironment.testPages)
        let pages = [try await browser.page(), try await browser.page()]
        try await begin(pages[0], pages[1], hub.url)
        for page in pages { page.stopMonitoring() }
        // By then a call has settled; an idle phone's audio rests, and its service worker has looked for updates.
        try await Task.sleep(for: .seconds(10))
        let (start, from) = (ContinuousClock.now, browser.threadTimes())
        try await Task.sleep(for: .seconds(seconds))
        let usage = CPUUsage(from, browser.threadTimes(), in: ContinuousClock.now - start, pages: pages.count)
        for page in pages { try await page.close() }
        return usage
    }

    /// Opens the phone on both pages, and connects them if wished.
    private static func phones(_ one: ChromiumPage, _ two: ChromiumPage, _ url: String, calling: Bool) async throws {
        for (page, name) in [(one, "alice"), (two, "bob")] {
            try await page.open(url)
            try await page.wait(for: "document.querySelector(\"input[name=account]\")")
            try await page.run("document.querySelector(\"input[name=account]\").focus();")
            try await page.type(name)
            try await page.press("Enter")
            try await page.wait(for: "document.querySelector(\".shell\")")
            try await page.run("globalThis.hub = (await import(\"/phone/hub.js\")).hub;")
            try await page.wait(for: "hub.audio.state === \"on\"")
        }
        if calling { try await call(one, two) }
    }

    /// Opens pages with the library alone.
    private static func library(_ one: ChromiumPage, _ two: ChromiumPage, _ url: String) async throws {
        for (page, name) in [(one, "alice"), (two, "bob")] {
            try await page.open(url + "tests/bench.html")
            try await page.wait(for: "globalThis.bench?.isReady")
            try await page.run(
                "globalThis.hub = bench.hub; await hub.audio.start(); await hub.signIn({ account });",
                ["account": .string(name)]
            )
        }
        try await call(one, two)
    }

    private static func call(_ one: ChromiumPage, _ two: ChromiumPage) async throws {
        try await one.run("await hub.call(\"bob\");")
        try await two.wait(for: "hub.calls[0]?.choices.length")
        try await two.run("await hub.calls[0].accept();")
        for page in [one, two] { try await page.wait(for: "hub.quality?.grade === \"good\"") }
    }

    private static func webRTC(_ one: ChromiumPage, _ two: ChromiumPage, _ url: String) async throws {
        for page in [one, two] {
            try await page.open(url + "tests/webrtc.html")
            try await page.wait(for: "globalThis.rtc")
            try await page.run("await rtc.begin();")
        }
        let offer = try await one.value("rtc.describe()")
        let answer = try await two.value("rtc.describe(offer)", ["offer": offer])
        try await one.value("rtc.describe(answer)", ["answer": answer])
        for page in [one, two] { try await page.wait(for: "rtc.received().then(count => count > 50)") }
    }
}
