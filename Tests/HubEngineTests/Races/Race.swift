import Foundation
import HubEngine
import HubSimulation
import Testing

/// A race between events at the same moment: a heading of `docs/races.md`.
///
/// Each has a test of its own that runs the events in every order.
enum Race: String, CaseIterable {
    case bothHold = "Hold against hold"
    case holdAgainstEnd = "Hold against end"
    case swapAgainstEnd = "Swap against the end of the held call"
    case acceptAgainstCancel = "Hold & Accept against cancel"
    case answerAgainstCancel = "Answer against cancel"
    case answerAgainstTimeOut = "Answer against the ring timeout"
    case mergeAgainstEnd = "Merge against the end of a member"
    case twoAnswers = "Answer on two devices"
    case answerAgainstDecline = "Answer against decline on another device"
    case twoPulls = "Pull by two devices"
    case pullAgainstEnd = "Pull against end"
    case bothEnd = "End against end"
    case fulfilAfterTimeOut = "Fulfilment against the action timeout"
    case resumeInTransaction = "Lost connection during a transaction"
    case glare = "Glare"
    case transferAgainstEnd = "Transfer against the end of either call"
    case transferAgainstTransfer = "Transfer against transfer"
    case transferAgainstSwap = "Transfer against swap"
    case transferAgainstHold = "Transfer against hold"
    case transferAgainstMerge = "Transfer against merge"
    case transferAgainstPull = "Transfer against pull"
    case transferAgainstTimeOut = "Transfer against the action timeout"
    case transferAgainstLoss = "Transfer against a lost connection"
    case handOverAgainstEnd = "Blind transfer against end"
    case handOverAgainstHandOver = "Blind transfer by both parties"
    case takingAgainstHangingUp = "Answer of a transferred call against its end"
    case takingAgainstTimeOut = "Answer of a transferred call against the ring timeout"
    case returnAgainstHangingUp = "Return of a transferred call against its end"
}

/// The list of races, compared with the document and with the tests, which have a race as their argument.
struct RaceDocumentTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test func `the document's headings are exactly the races of the list`() throws {
        let docs = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/races.md")
        let text = try String(contentsOf: docs, encoding: .utf8)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(headings == Race.allCases.map(\.rawValue))
    }

    @Test(arguments: Race.allCases) func `every race of the list has a test`(race: Race) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let sources = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(sources.contains { $0.contains("@Test(arguments: [Race.\(race)])") })
    }
}

/// Something that a race is made of.
typealias Step = (inout SimulatedHub) throws -> Void

extension SimulatedHub {
    /// The hub after these steps, in each of their orders.
    func afterEveryOrder(of one: Step, and other: Step) throws -> [SimulatedHub] {
        var first = self
        try one(&first)
        try other(&first)
        var second = self
        try other(&second)
        try one(&second)
        for hub in [first, second] { #expect(hub.violations == []) }
        return [first, second]
    }

    /// Fulfils the last action that was sent to a device to perform; false: it was too late.
    @discardableResult
    mutating func fulfillLast(_ session: SessionID) throws -> Bool {
        let action = actionToPerform(session)
        return ask(session, .fulfill(try #require(action).uuid, date: nil)) == .done
    }

    /// A device's calls by state, in the order in which they came.
    func states(_ session: SessionID) -> [CallSnapshot.State] { calls(session).map(\.state) }

    /// Indicates that no transaction and no action is pending on any of these devices.
    func isSettled(_ sessions: SessionID...) -> Bool {
        var copy = self
        return sessions.allSatisfy { session in
            copy.ask(session, .pending(type: nil, callUUID: nil)) == .pending(transactions: [], actions: [])
        }
    }
}
