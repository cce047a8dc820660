public import HubEngine

/// The accounts and devices of a simulated world, each device with settings of its own, drawn from a seed.
public struct WorldShape: Hashable, Sendable {
    /// A device of an account.
    public struct Device: Hashable, Sendable {
        /// The account of the device: an index into `accounts`.
        public var account: Int
        /// The name in narrations, which is also its device ID.
        public var name: String
        /// The side that fulfils its actions.
        public var fulfillment: Fulfillment
        /// Indicates that it is offered whole transactions.
        public var executesTransactions: Bool
        /// Indicates that it may call.
        public var mayCall: Bool
        /// Indicates that it is notified of the account's other calls.
        public var observes: Bool
        /// The machine that it is on, with other devices of its account; nil: none.
        public var machine: String?
        /// The device of its account that it operates, by its name; nil: it is a phone itself.
        public var operates: String?
        /// The provider configuration that it signs in with.
        public var provider: ProviderConfiguration
    }

    /// The accounts' names.
    public var accounts: [String]
    /// All devices.
    public var devices: [Device]
    /// The engine's times and seed.
    public var configuration: EngineConfiguration

    /// A world of three to six accounts with up to three devices each.
    public init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        configuration = EngineConfiguration(seed: seed)
        if random.oneIn(3) { configuration.pushWait = .seconds(20) }
        accounts = Array(["ann", "bob", "cem", "dot", "eva", "fay"].prefix(random.number(3...6)))
        devices = []
        for account in accounts.indices {
            for number in 1...random.number(1...3) {
                devices.append(Device(account: account, name: "\(accounts[account])\(number)", random: &random))
            }
        }
        // Drawn by themselves, so that the rest of a seed's world does not depend on them.
        var roles = SeededRandom(seed: seed ^ 0x0FF1CE)
        for account in accounts.indices { drawRoles(ofAccount: account, &roles) }
    }

    /// Puts the devices of some accounts on one machine, and has the last device of some operate the first one.
    private mutating func drawRoles(ofAccount account: Int, _ random: inout SeededRandom) {
        let own = devices.indices.filter { devices[$0].account == account }
        let (isMachine, isOperated) = (random.oneIn(3), random.oneIn(3))
        guard own.count > 1, let first = own.first, let last = own.last else { return }
        if isMachine { for device in own { devices[device].machine = "\(accounts[account])'s" } }
        guard isOperated else { return }
        (devices[last].operates, devices[last].machine, devices[last].mayCall) = (devices[first].name, nil, false)
    }
}

extension WorldShape.Device {
    fileprivate init(account: Int, name: String, random: inout SeededRandom) {
        self.account = account
        self.name = name
        fulfillment = random.oneIn(2) ? .manual : .automatic
        executesTransactions = random.oneIn(6)
        mayCall = !random.oneIn(12)
        observes = random.oneIn(3)
        provider = ProviderConfiguration()
        provider.maximumCallGroups = [1, 2, 2, 2, 3, 3].one(using: &random)
        provider.maximumCallsPerCallGroup = [1, 2, 3, 5, 5, 5].one(using: &random)
        provider.supportsVideo = random.oneIn(2)
        provider.includesCallsInRecents = !random.oneIn(5)
        if random.oneIn(10) { provider.supportedHandleTypes = [.generic] }
    }
}

extension SeededRandom {
    /// Returns true with a probability of 1 in `oneIn`.
    mutating func oneIn(_ oneIn: Int) -> Bool {
        next() % UInt64(max(1, oneIn)) == 0
    }

    /// Returns a random number of a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }
}

extension Array {
    /// Returns a random element; the array must not be empty.
    func one(using random: inout SeededRandom) -> Element {
        self[Int(random.next() % UInt64(count))]
    }

    /// Returns the element at `place` modulo the count; nil if the array is empty.
    func cyclic(_ place: Int) -> Element? {
        isEmpty ? nil : self[Int(UInt(bitPattern: place) % UInt(count))]
    }
}
