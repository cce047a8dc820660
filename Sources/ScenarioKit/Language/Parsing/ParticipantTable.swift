import HubEngine

/// The table of parties and calls that the lines read so far have named.
struct ParticipantTable {
    /// The parties in the order of their lines.
    private(set) var parties: [Party] = []
    /// Indicates that the scenario declares its parties: undeclared names are faults then.
    var isDeclared = false
    /// The calls' names in the order of their first use.
    private(set) var calls: [String] = []
    /// The names that are not available as default names for calls without `as`.
    var usedCallNames: Set<String> = []

    /// The line in which each party is first named.
    private(set) var lines: [String: Int] = [:]
    /// Returns the reason why a sound file cannot be played; nil: it can be played.
    var soundFileFault: (String) -> String? = { _ in nil }

    /// The parties' names.
    var names: [String] { parties.map(\.name) }

    /// Returns the party with a name.
    func party(_ name: String) -> Party? { parties.first { $0.name == name } }

    /// Returns the party whose account a name would be at the hub, which compares names without case.
    func party(sharingAccountWith name: String) -> Party? {
        let key = FoldedName(name)
        return parties.first { FoldedName($0.name) == key }
    }

    /// Adds a party; does nothing if one with its name, in any case, exists.
    mutating func add(_ party: Party, in line: Int) {
        guard self.party(sharingAccountWith: party.name) == nil else { return }
        lines[party.name] = line
        parties.append(party)
    }

    /// Replaces the party with the same name.
    mutating func update(_ party: Party) {
        guard let index = parties.firstIndex(where: { $0.name == party.name }) else { return }
        parties[index] = party
    }

    /// The default name for a call whose line gives none.
    var nextCall: String {
        var number = 0
        while usedCallNames.contains(NameSyntax.call(number: number)) { number += 1 }
        return NameSyntax.call(number: number)
    }

    /// Registers a call's name; a name that is used again denotes the newer call.
    mutating func name(_ call: String) {
        usedCallNames.insert(call)
        if !calls.contains(call) { calls.append(call) }
    }
}
