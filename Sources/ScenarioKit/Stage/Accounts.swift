import Foundation
import HubEngine

/// How the accounts of a run's parties are named at its hub.
public enum AccountNaming: Hashable, Sendable {
    /// As the parties: `alice`.
    case plain
    /// With an ending that no other run has, so that runs at one hub do not meet: `alice-3f01a2`.
    case unique
}

/// The accounts of a run's parties.
struct Accounts: Hashable, Sendable {
    /// What stands behind the name of each party that is the run's own.
    let suffix: String
    private let parties: Set<String>
    private let underTest: Set<String>

    /// The accounts of a scenario's parties; a party under test has its own name, as its app signs in by it.
    init(_ scenario: Scenario, _ naming: AccountNaming) {
        suffix = naming == .unique ? AccountSuffix.next() : ""
        parties = Set(scenario.parties.map(\.name))
        underTest = Set(scenario.parties.filter { $0.underTest != nil }.map(\.name))
    }

    /// The name of a party's account.
    func account(of party: String) -> String { underTest.contains(party) ? party : party + suffix }

    /// The party of an account; nil: it is nobody's here.
    func party(of account: String) -> String? {
        if underTest.contains(account) { return account }
        guard account.hasSuffix(suffix) else { return nil }
        let name = String(account.dropLast(suffix.count))
        return parties.contains(name) && !underTest.contains(name) ? name : nil
    }

    /// Whether a party's phone is an app's.
    func isUnderTest(_ party: String) -> Bool { underTest.contains(party) }

    /// The handle that stands for somebody at the hub.
    func handle(of target: Target) -> Handle {
        switch target {
        case .party(let name): return .generic(account(of: name))
        case .handle(let handle):
            let isParty = handle.type == .generic && parties.contains(handle.value)
            return isParty ? .generic(account(of: handle.value)) : handle
        }
    }
}

/// Another ending each time, `-3f01a2`; other programs at the same hub are likely to have others.
private enum AccountSuffix {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var last = UInt32.random(in: 0...0xFFFFFF)

    static func next() -> String {
        lock.withLock {
            last = (last &+ 1) & 0xFFFFFF
            let digits = String(last, radix: 16)
            return "-" + String(repeating: "0", count: 6 - digits.count) + digits
        }
    }
}
