import Foundation
import HubEngine

/// The naming of the parties' accounts at the hub.
public enum AccountNaming: Hashable, Sendable {
    /// The party's name: `alice`.
    case unsuffixed
    /// The party's name with a suffix that is unique to the run, so that concurrent runs do not meet: `alice-3f01a2`.
    case unique
}

/// The accounts of a run's parties.
package struct Accounts: Hashable, Sendable {
    /// The suffix of the names of the simulated parties' accounts.
    let suffix: String
    /// The names of the parties by the names of accounts, without suffix.
    private let parties: [FoldedName: String]
    private let underTest: Set<String>

    /// Creates the accounts of a scenario; a party under test has no suffix, since its app signs in by that name.
    package init(_ scenario: Scenario, _ naming: AccountNaming) {
        suffix = naming == .unique ? AccountSuffix.next() : ""
        parties = Dictionary(scenario.parties.map { (FoldedName($0.name), $0.name) }) { first, _ in first }
        underTest = Set(scenario.parties.filter { $0.underTest != nil }.map(\.name))
    }

    /// Returns the name of a party's account.
    func account(of party: String) -> String { underTest.contains(party) ? party : party + suffix }

    /// Returns the party of an account; nil: it belongs to no party of the run.
    func party(of account: String) -> String? {
        let account = FoldedName(account).text
        if let name = parties[FoldedName(account)], underTest.contains(name) { return name }
        guard account.hasSuffix(suffix) else { return nil }
        guard let name = parties[FoldedName(String(account.dropLast(suffix.count)))] else { return nil }
        return underTest.contains(name) ? nil : name
    }

    /// Indicates that a party's phone is an app under test.
    func isUnderTest(_ party: String) -> Bool { underTest.contains(party) }

    /// Returns the handle of a target at the hub.
    func handle(of target: Target) -> Handle {
        switch target {
        case .party(let name): return .generic(account(of: name))
        case .handle(let handle):
            guard handle.type == .generic, let name = parties[FoldedName(handle.value)] else { return handle }
            return .generic(underTest.contains(name) ? handle.value : handle.value + suffix)
        }
    }
}

/// A generator of suffixes such as `-3f01a2`; those of other programs at the same hub are likely to differ.
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
