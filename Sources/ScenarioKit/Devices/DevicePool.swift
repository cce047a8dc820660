import HubEngine
import HubMedia
import HubWire

/// All simulated devices of a run with their connections and their clock.
final class DevicePool {
    /// The state of a device's connection.
    struct Link {
        var impairment = LinkImpairment()
        /// Indicates that the scenario has stopped the device from reading.
        var isFrozen = false
        /// Indicates that the device does not read because its throttled queue is full.
        var isFull = false
        var reads: Bool { !isFrozen && !isFull }
        /// Indicates that a step of the scenario may end this connection.
        var mayDisconnect = false
        /// Indicates that the hub may close the connection because the device reads slowly or not at all.
        var isImpaired: Bool { !reads || impairment.bitsPerSecond != nil }
    }

    let environment: any TestEnvironment
    /// The names of the parties' accounts at the hub.
    let accounts: Accounts
    let voices: VoiceTable
    /// The longest pause of each voice while it is played, by the voice's number.
    let pauses: [Duration]
    let devices: [SimulatedDevice]
    private let files: [String: [[UInt8]]]
    var calls = CallRegistry()
    var random: ScenarioRandomSource
    var links: [Link]
    /// The requests that are sent once their connection is open, by the device's index.
    var openings: [Int: (connection: Int, bytes: [UInt8])] = [:]
    var lastConnectionNumber = 0
    /// The last sequence number of the record, see `nextOrder`.
    var lastOrder = 0
    /// The number of requests that were sent at the present moment; in real time it stays 1.
    private(set) var simultaneousRequests = 0
    private var lastRequestAt = Duration.zero
    /// The time of the next microphone packets.
    var nextTick = Duration.zero
    /// The total time in which this process was not scheduled by a busy machine.
    var unscheduledTime = Duration.zero
    /// Indicates that the hub is draining: it ends when its calls are over.
    var isDraining = false
    /// The parties that the scenario expects to receive `session.closing`.
    let partiesToBeClosed: Set<String>
    /// The time until which devices may receive notifications at very different times.
    var deliverySkewUntil = Duration.zero
    /// The time since which a device has an audio session while all its calls are on hold, by the device's index.
    var heldWithAudio: [Int: Duration] = [:]
    /// The time since which a part of a device's group is on hold, by the device's index.
    var partlyHeldGroup: [Int: Duration] = [:]
    /// Voices that were received although no other device's call explains them, with their begin.
    var unexplained: [Unexplained] = []
    /// The time until which each end of a conversation was last active.
    var lastActive: [CallUUID: Duration] = [:]
    /// The time at which each call was last on hold at its other end.
    var lastHeldByRemote: [CallUUID: Duration] = [:]
    /// The last group that each end of a conversation has left, and the time.
    var lastGroup: [CallUUID: (group: GroupUUID, until: Duration)] = [:]

    /// A received voice that no call explains yet.
    struct Unexplained {
        var device: Int
        var voice: Int
        var since: Duration
    }

    /// Creates the devices of a scenario, none of which is signed in.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - environment: The environment with the hub, the clock and the connections.
    ///   - accounts: The names of the parties' accounts at the hub.
    ///   - files: The Opus packets of the played files, 20 ms each, by the files' names.
    ///   - random: The source of random numbers.
    /// - Throws: ``MediaError`` if libopus fails; ``SoundFileError`` if a played file is not recognizable.
    init(
        _ scenario: Scenario,
        on environment: any TestEnvironment,
        accounts: Accounts,
        files: [String: [[UInt8]]],
        random: ScenarioRandomSource
    ) throws {
        (self.environment, self.accounts, self.files, self.random) = (environment, accounts, files, random)
        let players = Self.filePlayers(scenario)
        let fingerprints = try players.compactMap { party, file in
            try files[file].map { (party, try Fingerprint($0)) }
        }
        partiesToBeClosed = scenario.partiesToBeClosed
        voices = VoiceTable(scenario.parties, toneSenders: scenario.toneSenders, files: fingerprints)
        pauses = try PauseAnalysis.all(voices, players, files)
        var devices: [SimulatedDevice] = []
        let maximumGaps = pauses.map { .milliseconds(60) + environment.maximumAudioDelay + $0 }
        for party in scenario.parties {
            let app = party.underTest.flatMap { _ in environment.app(of: party.name) }
            guard party.underTest == nil || app != nil else { continue }
            for deviceName in party.devices {
                let name = party.devices.count > 1 || deviceName != nil ? deviceName : nil
                devices.append(
                    SimulatedDevice(
                        DeviceReference(party.name, device: name),
                        party: party,
                        account: accounts.account(of: party.name),
                        app: app,
                        start: self.random.next(),
                        toneDetector: ToneDetector(voices),
                        receivedVoices: ReceivedVoices(maximumGaps: maximumGaps)
                    )
                )
            }
        }
        self.devices = devices
        links = Array(repeating: Link(), count: devices.count)
        nextTick = environment.now
        for index in devices.indices where devices[index].app == nil {
            try setAudioSource(devices[index].party.audioSource, of: index)
        }
    }

    var now: Duration { environment.now }

    /// Counts a request among those of the present moment.
    func countRequest() {
        let now = now
        simultaneousRequests = now == lastRequestAt ? simultaneousRequests + 1 : 1
        lastRequestAt = now
    }

    /// Returns the index of the device that a line refers to; without a device's name the party's first.
    func index(of deviceReference: DeviceReference) -> Int? {
        devices.firstIndex {
            $0.deviceReference.party == deviceReference.party
                && (deviceReference.device == nil || $0.deviceReference.device == deviceReference.device)
        }
    }

    /// Returns each party that plays a file at any time, and the file.
    static func filePlayers(_ scenario: Scenario) -> [(party: Int, file: String)] {
        var players: [(party: Int, file: String)] = []
        func note(_ party: String, _ audioSource: AudioSourceSpec) {
            guard case .file(let file) = audioSource,
                let index = scenario.parties.firstIndex(where: { $0.name == party })
            else { return }
            players.append((index, file))
        }
        func note(_ steps: [Step]) {
            for step in steps {
                switch step.stepAction {
                case .audioSource(let deviceReference, let audioSource): note(deviceReference.party, audioSource)
                case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps): note(steps)
                default: break
                }
            }
        }
        for party in scenario.parties { note(party.name, party.audioSource) }
        note(scenario.steps)
        return players
    }

    /// Sets the source of sound of a device's microphone.
    func setAudioSource(_ audioSource: AudioSourceSpec, of index: Int) throws {
        let device = devices[index]
        switch audioSource {
        case .tone:
            device.microphone.play(try voices.toneIndex(of: partyNumber(of: device)).flatMap { try PartyTone.loop($0) })
        case .silence: device.microphone.stop()
        case .file(let file): device.microphone.play(files[file] ?? [])
        }
    }

    /// Returns the index of a device's party, which is also its voice's number.
    func partyNumber(of device: SimulatedDevice) -> Int { voices.number(of: .party(device.party.name)) ?? 0 }
}
