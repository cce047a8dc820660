import HubWire
import ScenarioKit
import Testing

/// Names of the wire protocol as keywords of the scenario language.
@Suite struct KeywordTests {
    @Test func `every named error can be expected, and no other`() throws {
        for name in ErrorCode.known.compactMap(\.name) {
            #expect(throws: Never.self) { try parse("alice cannot hold A: \(name)") }
        }
        #expect(throws: ScenarioSyntaxErrors.self) { try parse("alice cannot hold A: invalidactions") }
    }

    @Test func `every unsolicited notification can be expected, except properties of a call`() throws {
        // No party is a recorder, and none asks for reports of dropped packets.
        let unasked: [NotificationMethod] = [.callChanged, .recordTold, .audioPacketsDropped]
        for method in NotificationMethod.allCases where !unasked.contains(method) {
            let last = method.rawValue.split(separator: ".").last.map(String.init) ?? ""
            let words =
                switch method {
                case .providerPerform: "perform hold A"
                case .callDTMF: "dtmf 12"
                case .sessionClosing: "closing draining"
                default: last == "changed" ? method.rawValue : last
                }
            #expect(throws: Never.self) { try parse("expect alice is told \(words)") }
        }
    }

    @Test func `every close reason can be expected`() throws {
        let reasons: [ClosingReason] = [.replaced, .draining, .shutdown, .slowConsumer, .policy, .signedOut, .expired]
        for reason in reasons {
            #expect(throws: Never.self) { try parse("expect alice is told closing \(reason.rawValue)") }
        }
    }

    private func parse(_ line: String) throws {
        _ = try ScenarioText.scenarios(parsing: "alice calls bob\n\(line)")
    }
}
