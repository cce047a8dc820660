/// What the hub has said that it keeps of an account.
struct FullDiskKept {
    var contacts: Set<String> = []
    var blocked: Set<String> = []
    var name = ""

    /// What `callhub account export` says is kept.
    struct File: Decodable {
        struct Contact: Decodable { var identifier: String }
        struct Rule: Decodable { var prefix: String? }
        struct Settings: Decodable { var displayName: String }
        struct Call: Decodable { var outcome: String }

        var contacts: [Contact]
        var blocked: [Rule]
        var settings: Settings
        var recents: [Call]
    }

    /// How many things are kept and should not be, or the other way round.
    func differences(from file: File) -> Int {
        let found = (Set(file.contacts.map(\.identifier)), Set(file.blocked.compactMap(\.prefix)))
        return contacts.symmetricDifference(found.0).count + blocked.symmetricDifference(found.1).count
            + (file.settings.displayName == name ? 0 : 1)
    }
}
