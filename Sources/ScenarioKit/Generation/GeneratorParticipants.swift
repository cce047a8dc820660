import HubEngine
import HubWire

/// A participant of a recorded scenario.
enum Participant: Hashable {
    /// An account whose devices are recorded.
    case account(String)
    /// An unrecorded party that recorded accounts called, or that called them.
    case unrecorded(Handle)
}

extension ProviderConfiguration {
    /// The configuration without the properties that a scenario cannot express.
    var expressible: ProviderConfiguration {
        var expressible = self
        (expressible.ringtoneSound, expressible.localizedName) = (nil, nil)
        return expressible
    }
}

/// The participants of a recorded scenario and their devices.
///
/// While the scenario is generated, parties and devices are referred to by numbers: their names are chosen at the end.
struct GeneratorParticipants {
    /// A device of an account, over all of its sessions.
    struct RecordedDevice {
        var account: String
        var id: String
        var name: String?
        var isOpen = true
        /// Indicates that the device was signed in at any time.
        var wasSignedIn = false
        /// Indicates that the device has lost its connection.
        var isLost = false
        /// Indicates that the device first signed in after the first step.
        var isLate = false
        /// The provider configuration with which the device signed in; nil: unknown.
        var configuration: ProviderConfiguration?
    }

    let accounts: [GeneratedScenario.Account]
    private(set) var list: [Participant] = []
    var devices: [RecordedDevice] = []

    init(_ accounts: [GeneratedScenario.Account]) { self.accounts = accounts }

    /// Returns the index of an entry's device; adds it if it is unknown.
    ///
    /// A device without an ID of its own gets a new one at each sign-in; it is matched by name with a signed-out one.
    mutating func deviceIndex(of entry: GeneratedScenario.Entry) -> Int {
        let (account, id) = (entry.account, entry.recordedEvent.deviceID)
        if let known = devices.firstIndex(where: { $0.account == account && $0.id == id }) { return known }
        let name = entry.recordedEvent.deviceName
        if let gone = devices.firstIndex(where: { $0.account == account && !$0.isOpen && $0.name == name }) {
            devices[gone].id = id
            return gone
        }
        // The events of its session determine the time of its sign-in.
        devices.append(RecordedDevice(account: account, id: id, name: name, isOpen: false))
        return devices.count - 1
    }

    /// Returns the participant that a handle reaches.
    func participant(_ handle: Handle) -> Participant {
        let key = handle.key
        let account = accounts.first { account in account.handles.contains { $0.key == key } }
        return account.map { .account($0.name) } ?? .unrecorded(handle)
    }

    /// Returns a participant's number as lines contain it while the scenario is generated.
    mutating func party(_ participant: Participant) -> String {
        if !list.contains(participant) { list.append(participant) }
        return String(list.firstIndex(of: participant) ?? 0)
    }

    /// Returns a device as lines refer to it while the scenario is generated.
    mutating func deviceReference(_ deviceIndex: Int) -> DeviceReference {
        DeviceReference(party(.account(devices[deviceIndex].account)), device: String(deviceIndex))
    }

    /// Returns a participant without recorded devices as lines refer to it while the scenario is generated.
    mutating func deviceReference(_ participant: Participant) -> DeviceReference { DeviceReference(party(participant)) }

    /// Indicates that a participant is a built-in party of the hub.
    func isBuiltIn(_ participant: Participant) -> Bool {
        if case .unrecorded(let handle) = participant {
            BuiltInParty(handle) != nil
        } else {
            false
        }
    }

    /// Returns the target of a call: a built-in party by its handle, others by number.
    mutating func target(_ participant: Participant) -> Target {
        if case .unrecorded(let handle) = participant, isBuiltIn(participant) { return .handle(handle) }
        return .party(party(participant))
    }
}
