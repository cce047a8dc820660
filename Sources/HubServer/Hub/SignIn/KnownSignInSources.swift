import HubEngine

/// The addresses and devices of successful password sign-ins in the last 14 days, for each account; in memory only.
struct KnownSignInSources {
    /// An address or device at which an account's user has signed in.
    enum Source: Hashable {
        /// An address, which others may share.
        case address(IPAddress)
        /// A device, by an ID that is a secret of its user.
        case device(String)
    }

    /// The sources of an account with the times of their last use, in order of time.
    private typealias Sources = [(source: Source, at: Int64)]

    private var byAccount: [FoldedName: Sources] = [:]

    /// Returns the known source of a sign-in: the device rather than the address.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - address: The address of the client.
    ///   - device: The device ID of the client; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The known source; nil: neither the device nor the address is known.
    func source(of account: FoldedName, _ address: IPAddress, _ device: String?, at now: Int64) -> Source? {
        guard let sources = byAccount[account] else { return nil }
        return Self.sources(address, device).last { here in
            sources.contains { now &- $0.at < Self.retention && $0.source == here }
        }
    }

    /// Notes a successful sign-in of an account's user.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - address: The address of the client.
    ///   - device: The device ID of the client; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    mutating func note(_ account: FoldedName, _ address: IPAddress, _ device: String?, at now: Int64) {
        if byAccount[account] == nil { makeRoom(at: now) }
        let here = Self.sources(address, device)
        var sources = byAccount[account] ?? []
        sources.removeAll { here.contains($0.source) }
        sources += here.map { ($0, now) }
        byAccount[account] = sources.suffix(Self.maximumPerAccount)
    }

    /// Returns the address, and the device, unless its ID is so short that it could be guessed.
    private static func sources(_ address: IPAddress, _ device: String?) -> [Source] {
        let isSecret = device.map { (minimumDeviceIDBytes...maximumDeviceIDBytes).contains($0.utf8.count) } ?? false
        return [.address(address.rateLimitAddress)] + (isSecret ? [.device(device ?? "")] : [])
    }

    private mutating func makeRoom(at now: Int64) {
        guard byAccount.count >= Self.maximumAccounts else { return }
        byAccount = byAccount.filter { $0.value.last.map { now &- $0.at < Self.retention } ?? false }
        guard byAccount.count >= Self.maximumAccounts else { return }
        // Half of them, so that this happens seldom.
        let ends = byAccount.values.compactMap { $0.last?.at }.sorted()
        let middle = ends[ends.count / 2]
        byAccount = byAccount.filter { ($0.value.last?.at ?? 0) > middle }
    }

    /// The maximum number of addresses and devices of one account.
    ///
    /// More: users who move about are known at more addresses; more memory.
    private static let maximumPerAccount = 16
    /// The maximum number of accounts.
    ///
    /// More: users are known on larger hubs; some hundred bytes each.
    private static let maximumAccounts = 20_000
    /// The time in nanoseconds for which a source is known.
    ///
    /// Longer: users are known after longer holidays; so are others who have got their address meanwhile.
    private static let retention: Int64 = 14 * 86_400 * 1_000_000_000
    /// The minimum bytes of a device ID that counts as a secret; a UUID has 36.
    private static let minimumDeviceIDBytes = 32
    private static let maximumDeviceIDBytes = 256
}
