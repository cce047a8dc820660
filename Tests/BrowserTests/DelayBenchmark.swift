import BrowserKit
import Foundation
import Testing

/// Measures the delay of a voice by the phone's own test call, as Diagnostics shows it: `make bench-browser`.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["BROWSER_BENCH"] != nil, "make bench-browser runs it"),
    .timeLimit(.minutes(5))
)
struct DelayBenchmark {
    @Test func `a test call takes at most 140 ms from what the microphone gives to what the speaker gets`()
        async throws
    {
        let browser = try await Chromium(.headlessShell)
        let hub = try await BrowserHub(pages: BrowserTestEnvironment.testPages)
        var rounds: [Int] = []
        for round in 1...5 {
            let page = try await browser.page()
            try await page.signIn(by: "alice", at: hub.url, speaking: PageTone.alice)
            let detail = try await page.run(
                """
                const { diagnose } = await import("/phone/diagnostics.js");
                const { state } = await import("/phone/state.js");
                await diagnose();
                return state.findings.find(({ id }) => id === "echo").detail;
                """,
                within: 60
            )
            let median = try #require(detail.text?.split(separator: " ").first.flatMap { Int($0) }, "\(detail)")
            print("round \(round): \(detail.text ?? "")")
            rounds.append(median)
            try await page.close()
        }
        print("median of the voice's delay: \(rounds.sorted()[2]) ms")
        #expect(rounds.sorted()[2] <= 140)
    }
}
