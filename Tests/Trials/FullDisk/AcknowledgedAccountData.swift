import HubAccountData

/// The data of an account that the hub has acknowledged as stored.
struct AcknowledgedAccountData {
    var contacts: Set<String> = []
    var blocked: Set<String> = []
    var name = ""

    /// The output of `callhub account export`.
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

    /// Returns the number of entries that are in only one of this and `file`.
    func differences(from file: File) -> Int {
        let found = (Set(file.contacts.map(\.identifier)), Set(file.blocked.compactMap(\.prefix)))
        return contacts.symmetricDifference(found.0).count + blocked.symmetricDifference(found.1).count
            + (file.settings.displayName == name ? 0 : 1)
    }
}
