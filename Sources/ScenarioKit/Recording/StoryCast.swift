import HubEngine
import HubWire

/// Somebody of a story.
enum Person: Hashable {
    /// Whose devices are recorded.
    case account(String)
    /// Whom those called, or were called by.
    case outsider(Handle)
}

extension ProviderConfiguration {
    /// What a scenario can say of it.
    var plain: ProviderConfiguration {
        var plain = self
        (plain.ringtoneSound, plain.localizedName) = (nil, nil)
        return plain
    }
}

/// Who takes part in a recorded story, and with which devices.
///
/// While it is written people are numbers, and devices too: what they are called is known at its end.
struct StoryCast {
    /// A device of an account, over all of its sessions.
    struct Slot {
        var account: String
        var id: String
        var name: String?
        var isOpen = true
        /// Whether it has ever been there.
        var wasOpen = false
        /// Whether it has lost its connection.
        var isLost = false
        /// Whether it came only when the story had begun.
        var isLate = false
        /// What it signed in with.
        var configuration: ProviderConfiguration?
    }

    let accounts: [Recording.Account]
    private(set) var people: [Person] = []
    var slots: [Slot] = []

    init(_ accounts: [Recording.Account]) { self.accounts = accounts }

    /// The device that an entry is about.
    ///
    /// One without an id of its own has another one after each sign-in: it is the one that left.
    mutating func slot(of entry: Recording.Entry) -> Int {
        let (account, id) = (entry.account, entry.news.deviceID)
        if let known = slots.firstIndex(where: { $0.account == account && $0.id == id }) { return known }
        let name = entry.news.deviceName
        if let gone = slots.firstIndex(where: { $0.account == account && !$0.isOpen && $0.name == name }) {
            slots[gone].id = id
            return gone
        }
        // Whether it is there is said by the news of its session.
        slots.append(Slot(account: account, id: id, name: name, isOpen: false))
        return slots.count - 1
    }

    /// Who is reached by a handle.
    func person(_ handle: Handle) -> Person {
        accounts.first { $0.handles.contains(handle) }.map { .account($0.name) } ?? .outsider(handle)
    }

    /// Somebody's number, as a line has it while the story is written.
    mutating func party(_ person: Person) -> String {
        if !people.contains(person) { people.append(person) }
        return String(people.firstIndex(of: person) ?? 0)
    }

    /// A device, as a line has it while the story is written.
    mutating func who(_ slot: Int) -> Who {
        Who(party(.account(slots[slot].account)), device: String(slot))
    }

    /// Somebody without devices of his own, as a line has him while the story is written.
    mutating func who(_ person: Person) -> Who { Who(party(person)) }

    /// Whether somebody is one of the hub's own.
    func isBuiltIn(_ person: Person) -> Bool {
        if case .outsider(let handle) = person { BuiltInParty.allCases.contains { $0.handle == handle } } else { false }
    }

    /// Whom a line calls while the story is written: one of the hub's own by name, others by number.
    mutating func target(_ person: Person) -> Target {
        if case .outsider(let handle) = person, isBuiltIn(person) { return .handle(handle) }
        return .party(party(person))
    }
}
