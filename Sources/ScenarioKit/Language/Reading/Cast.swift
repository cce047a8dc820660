/// Who takes part and which calls there are, as far as the lines have said so.
struct Cast {
    /// The parties in the order of their lines.
    private(set) var parties: [Party] = []
    /// Whether all parties were declared: then nobody else takes part.
    var isDeclared = false
    /// The calls that have a name, in the order in which they got it.
    private(set) var calls: [String] = []
    /// The names that no line without `as` is given any more.
    var given: Set<String> = []

    /// The line in which somebody was first named.
    private(set) var lines: [String: Int] = [:]
    /// Why a file of sound cannot be played; nil: it can.
    var faultOfSound: (String) -> String? = { _ in nil }

    /// The parties' names.
    var names: [String] { parties.map(\.name) }

    /// A party by its name.
    func party(_ name: String) -> Party? { parties.first { $0.name == name } }

    /// Has somebody take part; who takes part already, is told apart no more.
    mutating func add(_ party: Party, in line: Int) {
        guard self.party(party.name) == nil else { return }
        lines[party.name] = line
        parties.append(party)
    }

    /// Changes what somebody is like.
    mutating func update(_ party: Party) {
        guard let index = parties.firstIndex(where: { $0.name == party.name }) else { return }
        parties[index] = party
    }

    /// The name for a call whose line gives none.
    var nextCall: String {
        var number = 0
        while given.contains(Names.call(number: number)) { number += 1 }
        return Names.call(number: number)
    }

    /// Remembers a call's name; one that is given anew stands for the newer call.
    mutating func name(_ call: String) {
        given.insert(call)
        if !calls.contains(call) { calls.append(call) }
    }
}
