/// The addresses and devices of successful password sign-ins in the last 14 days, for each account; in memory only.
struct KnownPlaces {
    /// An address or device at which an account's user has signed in.
    enum Place: Hashable {
        /// An address, which others may share.
        case address(IPAddress)
        /// A device, by an ID that is a secret of its user.
        case device(String)
    }

    /// The places of an account with the times of their last use, in order of time.
    private typealias Places = [(place: Place, at: Int64)]

    private var byAccount: [String: Places] = [:]

    /// Returns the place by which an account's user is known: the device rather than the address.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - address: The address of the client.
    ///   - device: The device ID of the client; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The known place; nil: the client may be anybody.
    func place(of account: String, _ address: IPAddress, _ device: String?, at now: Int64) -> Place? {
        guard let places = byAccount[account] else { return nil }
        return Self.places(address, device).last { here in
            places.contains { now &- $0.at < Self.longest && $0.place == here }
        }
    }

    /// Notes a successful sign-in of an account's user.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - address: The address of the client.
    ///   - device: The device ID of the client; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    mutating func note(_ account: String, _ address: IPAddress, _ device: String?, at now: Int64) {
        if byAccount[account] == nil { makeRoom(at: now) }
        let here = Self.places(address, device)
        var places = byAccount[account] ?? []
        places.removeAll { here.contains($0.place) }
        places += here.map { ($0, now) }
        byAccount[account] = places.suffix(Self.mostOfOne)
    }

    /// Returns the address, and the device, unless its ID is so short that it could be guessed.
    private static func places(_ address: IPAddress, _ device: String?) -> [Place] {
        let isSecret = device.map { (shortestDevice...longestDevice).contains($0.utf8.count) } ?? false
        return [.address(address.guest)] + (isSecret ? [.device(device ?? "")] : [])
    }

    private mutating func makeRoom(at now: Int64) {
        guard byAccount.count >= Self.mostAccounts else { return }
        byAccount = byAccount.filter { $0.value.last.map { now &- $0.at < Self.longest } ?? false }
        guard byAccount.count >= Self.mostAccounts else { return }
        // Half of them, so that this happens seldom.
        let ends = byAccount.values.compactMap { $0.last?.at }.sorted()
        let middle = ends[ends.count / 2]
        byAccount = byAccount.filter { ($0.value.last?.at ?? 0) > middle }
    }

    /// The maximum number of addresses and devices of one account.
    ///
    /// More: users who move about are known in more places; more memory.
    private static let mostOfOne = 16
    /// The maximum number of accounts.
    ///
    /// More: users are known on larger hubs; some hundred bytes each.
    private static let mostAccounts = 20_000
    /// The time in nanoseconds for which a place is known.
    ///
    /// Longer: users are known after longer holidays; so are others who have got their address meanwhile.
    private static let longest: Int64 = 14 * 86_400 * 1_000_000_000
    /// The minimum bytes of a device ID that counts as a secret; a UUID has 36.
    private static let shortestDevice = 32
    private static let longestDevice = 256
}
