import CallKit
import CallSystem
import Dispatch
import Foundation
import HubEngine
import HubSimulator
import HubWire
import Testing

/// Offers of transactions as a whole: each one costs a round trip, which only those apps pay that take some.
struct OfferTests {
    private let hub: SimulatedHub
    private let bob: CallScreen
    private let system: CallSystem
    private let provider: CXProvider
    private let controller: CXCallController
    private let plain = PlainDelegate()
    private let taker = TakingDelegate()
    /// The number of offers that the hub has sent.
    private let offers = Locked(0)

    init() async throws {
        hub = try SimulatedHub()
        bob = hub.phone("bob")
        system = hub.device("alice", settings: CallSystemSettings()) { [offers] event in
            guard case .received(let output) = event, case .text(let text) = output.content,
                let message = try? HubMessage(parsing: text), case .notification(_, .execute) = message
            else { return }
            offers.withLock { $0 += 1 }
        }
        (provider, controller) = system.run {
            (CXProvider(configuration: CXProviderConfiguration()), CXCallController())
        }
        provider.setDelegate(plain, queue: DispatchQueue(label: "OfferTests"))
        await hub.settle()
    }

    private var offerCount: Int { offers.withLock { $0 } }

    private func request(_ actions: CXAction...) async throws {
        try await controller.requestTransaction(with: actions)
        await hub.settle()
    }

    /// Starts a call, and waits until it is connected.
    private func talk(to handle: String) async throws -> UUID {
        let call = UUID()
        try await request(CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: handle)))
        return call
    }

    @Test func `an app without a method that takes transactions is offered its first one alone (CK-62)`() async throws {
        let call = try await talk(to: "echo")
        #expect(offerCount == 1)
        try await request(CXSetMutedCallAction(call: call, muted: true))
        try await system.user.hold()
        #expect(offerCount == 1 && plain.takePerformed() == ["start", "mute", "hold"])
        // Its delegate again, and a session that the hub does not know yet.
        provider.setDelegate(plain, queue: DispatchQueue(label: "again"))
        await hub.restart()
        _ = try await talk(to: "echo")
        #expect(offerCount == 1 && plain.takePerformed() == ["start"])
    }

    @Test func `another delegate is offered transactions from its first one on (CK-62)`() async throws {
        let call = try await talk(to: "echo")
        provider.setDelegate(taker, queue: DispatchQueue(label: "taker"))
        let mute = CXSetMutedCallAction(call: call, muted: true)
        try await request(mute)
        #expect(taker.takeOffered() == [["mute"]] && mute.isComplete)
        try await system.user.mute(false)
        #expect(taker.takeOffered() == [["unmute"]] && offerCount == 3)
        provider.setDelegate(plain, queue: DispatchQueue(label: "plain"))
        try await system.user.mute(true)
        try await system.user.mute(false)
        #expect(offerCount == 4 && plain.takePerformed() == ["start", "mute", "unmute"])
        #expect(taker.takeOffered().isEmpty && system.user.calls.map(\.isMuted) == [false])
    }

    @Test func `what the hub begins before it knows of a delegate is offered action by action (CK-62)`() async throws {
        _ = try await talk(to: "echo")
        let screen = try await Operator(hub, of: "alice")
        await hub.cutLink(of: system)
        provider.setDelegate(taker, queue: DispatchQueue(label: "taker"))
        try await bob.start("alice")
        try await screen.choose(.holdAndAccept)
        await hub.cutLink(of: system, false)
        #expect(taker.takeOffered() == [["hold"], ["answer"]] && offerCount == 1)
        #expect(system.user.calls.map(\.state) == [.held, .connected])
        try await system.user.swap()
        #expect(taker.takeOffered() == [["hold", "resume"]] && offerCount == 2)
    }

    @Test func `an action that a delegate does not take with its offer is performed (CK-62)`() async throws {
        let call = try await talk(to: "echo")
        _ = plain.takePerformed()
        let screen = try await Operator(hub, of: "alice")
        await hub.cutLink(of: system)
        let other = PlainDelegate()
        provider.setDelegate(other, queue: DispatchQueue(label: "other"))
        try await bob.start("alice")
        try await screen.choose(.endAndAccept)
        await hub.cutLink(of: system, false)
        #expect(other.takePerformed() == ["end", "answer"] && offerCount == 1)
        #expect(system.user.calls.map(\.handle) == ["bob"] && system.user.calls.map(\.uuid) != [call])
        try await system.user.hold()
        #expect(other.takePerformed() == ["hold"] && offerCount == 1)
    }

    @Test func `a delegate that passes offers on to an object without the method is offered all (CK-62)`() async throws
    {
        let relay = RelayingDelegate(to: plain)
        provider.setDelegate(relay, queue: DispatchQueue(label: "relay"))
        let call = try await talk(to: "echo")
        try await request(CXSetMutedCallAction(call: call, muted: true))
        #expect(offerCount == 2 && plain.takePerformed() == ["start", "mute"])
    }

    @Test func `one provider whose delegate may take transactions has them offered to it (CK-62)`() async throws {
        let call = try await talk(to: "echo")
        let second = system.run { CXProvider(configuration: CXProviderConfiguration()) }
        second.setDelegate(taker, queue: DispatchQueue(label: "taker"))
        try await request(CXSetMutedCallAction(call: call, muted: true))
        #expect(offerCount == 2 && plain.takePerformed() == ["start", "mute"] && taker.takeOffered().isEmpty)
        second.invalidate()
        try await request(CXSetMutedCallAction(call: call, muted: false))
        #expect(offerCount == 2 && plain.takePerformed() == ["unmute"])
    }
}

extension CXAction {
    fileprivate var word: String {
        switch self {
        case is CXStartCallAction: "start"
        case is CXAnswerCallAction: "answer"
        case is CXEndCallAction: "end"
        case let action as CXSetMutedCallAction: action.isMuted ? "mute" : "unmute"
        case let action as CXSetHeldCallAction: action.isOnHold ? "hold" : "resume"
        default: "\(type(of: self))"
        }
    }
}

/// A delegate that fulfils each action, and has no method that takes transactions.
private final class PlainDelegate: NSObject, CXProviderDelegate, Sendable {
    private let performed = Locked<[String]>([])

    func takePerformed() -> [String] {
        performed.withLock { performed in
            defer { performed = [] }
            return performed
        }
    }

    private func perform(_ action: CXAction) {
        performed.withLock { $0.append(action.word) }
        action.fulfill()
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { perform(action) }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { perform(action) }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { perform(action) }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { perform(action) }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { perform(action) }
}

/// A delegate that takes all transactions, and has no other method.
private final class TakingDelegate: NSObject, CXProviderDelegate, Sendable {
    private let offered = Locked<[[String]]>([])

    func takeOffered() -> [[String]] {
        offered.withLock { offered in
            defer { offered = [] }
            return offered
        }
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        offered.withLock { $0.append(transaction.actions.map(\.word)) }
        for action in transaction.actions { action.fulfill() }
        return true
    }
}

/// A delegate that passes all on to another one.
private final class RelayingDelegate: NSObject, CXProviderDelegate {
    private let next: any CXProviderDelegate

    init(to next: any CXProviderDelegate) { self.next = next }

    func providerDidReset(_ provider: CXProvider) { next.providerDidReset(provider) }

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        next.provider(provider, execute: transaction)
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        next.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        next.provider(provider, perform: action)
    }
}
