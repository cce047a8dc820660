/// From where, and on what, people have signed in rightly in the last days: their own places, in memory alone.
struct KnownPlaces {
    /// A place that an account's user has been right at.
    enum Place: Hashable {
        /// An address, which others may have, too.
        case address(IPAddress)
        /// A device by an id that nobody else knows.
        case device(String)
    }

    /// Where an account's user has been, and when last, in the order of that.
    private typealias Places = [(place: Place, at: Int64)]

    private var byAccount: [String: Places] = [:]

    /// The place by which an account's user is known there lately: the device rather than the address.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - address: Where somebody is.
    ///   - device: The device that he says; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Nil: it may be anybody.
    func place(of account: String, _ address: IPAddress, _ device: String?, at now: Int64) -> Place? {
        guard let places = byAccount[account] else { return nil }
        return Self.places(address, device).last { here in
            places.contains { now &- $0.at < Self.longest && $0.place == here }
        }
    }

    /// Notes that an account's user is right there.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - address: Where he is.
    ///   - device: His device.
    ///   - now: See there.
    mutating func note(_ account: String, _ address: IPAddress, _ device: String?, at now: Int64) {
        if byAccount[account] == nil { makeRoom(at: now) }
        let here = Self.places(address, device)
        var places = byAccount[account] ?? []
        places.removeAll { here.contains($0.place) }
        places += here.map { ($0, now) }
        byAccount[account] = places.suffix(Self.mostOfOne)
    }

    /// The address, and the device behind it, unless its id is so short that it could be guessed.
    private static func places(_ address: IPAddress, _ device: String?) -> [Place] {
        let isSecret = device.map { (shortestDevice...longestDevice).contains($0.utf8.count) } ?? false
        return [.address(address.guest)] + (isSecret ? [.device(device ?? "")] : [])
    }

    private mutating func makeRoom(at now: Int64) {
        guard byAccount.count >= Self.mostAccounts else { return }
        byAccount = byAccount.filter { $0.value.last.map { now &- $0.at < Self.longest } ?? false }
        guard byAccount.count >= Self.mostAccounts else { return }
        // Half of them, so that this is seldom.
        let ends = byAccount.values.compactMap { $0.last?.at }.sorted()
        let middle = ends[ends.count / 2]
        byAccount = byAccount.filter { ($0.value.last?.at ?? 0) > middle }
    }

    /// Addresses and devices of one account.
    ///
    /// More: people who move about are known in more places; more memory.
    private static let mostOfOne = 16
    /// More: people are known on larger hubs; some hundred bytes each.
    private static let mostAccounts = 20_000
    /// For how long a place is known.
    ///
    /// Longer: who comes back after holidays is known; so is whoever has his address by then.
    private static let longest: Int64 = 14 * 86_400 * 1_000_000_000
    /// Bytes of a device's id that nobody guesses: a UUID has 36.
    private static let shortestDevice = 32
    private static let longestDevice = 256
}
