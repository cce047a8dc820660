public import HubEngine

/// Who lives in a simulated world: accounts and their devices, each with habits of its own, drawn from a seed.
public struct WorldShape: Hashable, Sendable {
    /// A device of an account.
    public struct Device: Hashable, Sendable {
        /// Whose it is: a place in `accounts`.
        public var account: Int
        /// What narration calls it; its own name for itself, too.
        public var name: String
        /// Who fulfils its actions.
        public var fulfillment: Fulfillment
        /// Whether it is offered whole transactions.
        public var executesTransactions: Bool
        /// Whether it may call.
        public var mayCall: Bool
        /// Whether it is told of the account's other calls.
        public var observes: Bool
        /// What it signs in with.
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
        if random.chance(3) { configuration.wakeWait = .seconds(20) }
        accounts = Array(["ann", "bob", "cem", "dot", "eva", "fay"].prefix(random.number(3...6)))
        devices = []
        for account in accounts.indices {
            for number in 1...random.number(1...3) {
                devices.append(Device(account: account, name: "\(accounts[account])\(number)", random: &random))
            }
        }
    }
}

extension WorldShape.Device {
    fileprivate init(account: Int, name: String, random: inout SeededRandom) {
        self.account = account
        self.name = name
        fulfillment = random.chance(2) ? .manual : .automatic
        executesTransactions = random.chance(6)
        mayCall = !random.chance(12)
        observes = random.chance(3)
        provider = ProviderConfiguration()
        provider.maximumCallGroups = [1, 2, 2, 2, 3, 3].one(using: &random)
        provider.maximumCallsPerCallGroup = [1, 2, 3, 5, 5, 5].one(using: &random)
        provider.supportsVideo = random.chance(2)
        provider.includesCallsInRecents = !random.chance(5)
        if random.chance(10) { provider.supportedHandleTypes = [.generic] }
    }
}

extension SeededRandom {
    /// True once in so many times.
    mutating func chance(_ oneIn: Int) -> Bool {
        next() % UInt64(max(1, oneIn)) == 0
    }

    /// A number of a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }
}

extension Array {
    /// Any of the elements; the array must have one.
    func one(using random: inout SeededRandom) -> Element {
        self[Int(random.next() % UInt64(count))]
    }

    /// The element at `place` modulo what there is; nil where there is nothing.
    func cyclic(_ place: Int) -> Element? {
        isEmpty ? nil : self[Int(UInt(bitPattern: place) % UInt(count))]
    }
}
