import BenchmarkSupport
import Foundation
import HubTestSupport
import Testing

@testable import callhub_trials

/// The certificate of a hub is replaced under calls over TLS: a short run of the trial `renewals`.
@Suite(.serialized)
struct RenewalsTrialTests {
    @Test func `no call over TLS loses a packet or ends when the certificate of any kind is replaced`() async throws {
        let words = ["--hub-binary", Program.path, "--calls", "20", "--packets", "10", "--seconds", "5"]
        let options = try TrialOptions(words, trial: .renewals)
        // The hub drops what is late by half a second.
        try await expectWithRetries(tries: 3) {
            let report = try await blocking { try RenewalsTrial.run(options) }
            #expect(report.rows.map(\.kind) == ["own", "file", "acme"])
            for row in report.rows { #expect(row.during.received > 1_000, "\(report.text)") }
            return report.checks.filter { !$0.isMet }.map { "\($0.line)\n\(report.text)" }
        }
    }
}
