import HubAccountData
import HubEngine

/// The directory of the house: the accounts that users may find, by name.
///
/// The data is the account directory's and the accounts' own; this is its index for searches.
struct PeopleService {
    /// The accounts, sorted by name.
    private(set) var index = PeopleIndex()

    /// Sets the entry of an account.
    ///
    /// - Parameters:
    ///   - entry: The entry; nil: the account is gone.
    ///   - account: The name of the account.
    /// - Returns: The handles whose people may have changed: the former ones and the new ones.
    mutating func set(_ entry: PeopleIndex.Entry?, of account: String) -> [Handle] {
        let former = index[account]?.handles ?? []
        guard index.set(entry, of: account) else { return former }
        return former + (entry?.handles ?? []).filter { !former.contains($0) }
    }

    /// The maximum size of a list in an answer, in bytes.
    ///
    /// More: fewer requests; an answer may exceed the client's send queue, so that the client is closed as a slow
    /// consumer.
    static let maximumListBytes = 262_144
}
