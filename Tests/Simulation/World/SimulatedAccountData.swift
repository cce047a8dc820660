import HubEngine

extension CallerScreeningData {
    /// Indicates that the caller may not ring (callkit-semantics.md 2.4).
    var forbidsRinging: Bool {
        isBlocked || isBlockedByDirectory || doNotDisturb && !breaksThroughDoNotDisturb
    }

    /// Indicates that the caller may not ring on one device.
    func forbidsRinging(on device: String) -> Bool {
        forbidsRinging || quietDevices.contains(device) && !breaksThroughDoNotDisturb
    }
}

/// The callees' data about callers: the simulated world's own store.
struct SimulatedAccountData {
    /// The time that an answer takes.
    var delay = Duration.zero
    private var quiet: Set<Int> = []
    /// The names of quiet devices, by account.
    private var quietDevices: [Int: Set<String>] = [:]
    private var blocked: Set<[Int]> = []
    private var exempt: Set<[Int]> = []
    private var hidden: Set<Int> = []
    private var refusingStrangers: Set<Int> = []
    private var holdAudio: [Int: HoldAudio] = [:]
    private let accounts: [String]

    init(accounts: [String]) {
        self.accounts = accounts
    }

    mutating func setQuiet(_ account: Int, _ isOn: Bool) {
        if isOn { quiet.insert(account) } else { quiet.remove(account) }
    }

    mutating func setQuiet(_ device: String, of account: Int, _ isOn: Bool) {
        if isOn {
            quietDevices[account, default: []].insert(device)
        } else {
            quietDevices[account]?.remove(device)
        }
    }

    mutating func setBlocked(_ other: Int, by account: Int, _ isOn: Bool) {
        if isOn { blocked.insert([account, other]) } else { blocked.remove([account, other]) }
    }

    mutating func setExempt(_ other: Int, for account: Int, _ isOn: Bool) {
        if isOn { exempt.insert([account, other]) } else { exempt.remove([account, other]) }
    }

    mutating func setHidden(_ account: Int, _ isOn: Bool) {
        if isOn { hidden.insert(account) } else { hidden.remove(account) }
    }

    mutating func setRefusingStrangers(_ account: Int, _ isOn: Bool) {
        if isOn { refusingStrangers.insert(account) } else { refusingStrangers.remove(account) }
    }

    mutating func setHoldAudio(_ account: Int, _ audio: HoldAudio) { holdAudio[account] = audio }

    /// Returns the sound that an account's held parties receive; the first account's by default is music.
    func holdAudio(of account: Int) -> HoldAudio { holdAudio[account] ?? (account == 0 ? .music : .silence) }

    /// Indicates that no transfer may connect an account with another one.
    func refuses(_ other: Int, _ account: Int) -> Bool {
        refusingStrangers.contains(account) && other != account && names(of: other, for: account).contact == nil
    }

    /// Indicates that an account does not want to be named to the other members of groups.
    func isHidden(_ account: Int) -> Bool { hidden.contains(account) }

    func isQuiet(_ account: Int) -> Bool { quiet.contains(account) }

    func isQuiet(_ device: String, of account: Int) -> Bool { quietDevices[account]?.contains(device) == true }

    func isBlocked(_ other: Int, by account: Int) -> Bool { blocked.contains([account, other]) }

    func answer(_ lookUp: LookUp) -> LookUpResult {
        guard lookUp.handle.type == .generic else { return LookUpResult(.unknown) }
        if let party = BuiltInParty(rawValue: lookUp.handle.value) { return LookUpResult(.builtIn(party)) }
        guard let account = accounts.firstIndex(of: lookUp.handle.value) else { return LookUpResult(.unknown) }
        var result = LookUpResult(.account(lookUp.handle.value, answer(about: lookUp.callerHandle, for: account)))
        let caller = accounts.firstIndex(of: lookUp.caller) ?? 0
        if caller.isMultiple(of: 2) { result.callerDisplayName = "dear \(lookUp.caller)" }
        result.isCalleeRefused = isBlocked(account, by: caller) || refuses(account, caller)
        result.calleeNames = names(of: account, for: caller)
        return result
    }

    func answer(about caller: Handle, for account: String) -> CallerScreeningData {
        accounts.firstIndex(of: account).map { answer(about: caller, for: $0) } ?? CallerScreeningData()
    }

    private func answer(about caller: Handle, for account: Int) -> CallerScreeningData {
        var screeningData = CallerScreeningData()
        let other = accounts.firstIndex(of: caller.value) ?? -1
        if blocked.contains([account, other]) {
            if (account + other).isMultiple(of: 2) {
                screeningData.isBlocked = true
            } else {
                screeningData.isBlockedByDirectory = true
            }
        }
        screeningData.doNotDisturb = quiet.contains(account)
        screeningData.quietDevices = quietDevices[account] ?? []
        screeningData.breaksThroughDoNotDisturb = exempt.contains([account, other])
        screeningData.refusesTransfers = refuses(other, account)
        screeningData.names = names(of: other, for: account)
        return screeningData
    }

    private func names(of other: Int, for account: Int) -> KnownNames {
        var names = KnownNames()
        if (account + other).isMultiple(of: 3) { names.contact = "friend \(other)" }
        if (account + other).isMultiple(of: 2) { names.directory = "firm \(other)" }
        return names
    }
}
