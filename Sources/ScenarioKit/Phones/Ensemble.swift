import HubEngine
import HubMedia
import HubWire

/// All devices of a run with their lines, and time that passes for them.
final class Ensemble {
    /// How a device's connection is treated.
    struct Link {
        var shape = LinkShape()
        /// Whether the scenario has it read nothing.
        var isFrozen = false
        /// Whether it reads nothing since its line is full.
        var isFull = false
        var reads: Bool { !isFrozen && !isFull }
        /// Whether the scenario has done something by which this connection may end.
        var mayEnd = false
        /// Whether a hub may lose its patience with it.
        var isStrained: Bool { !reads || shape.bitsPerSecond != nil }
    }

    let stage: any Stage
    /// What the parties are called at the hub.
    let accounts: Accounts
    let voices: VoiceBook
    /// For how long each voice may be silent while it goes on, by its number.
    let pauses: [Duration]
    let phones: [PhoneSession]
    private let files: [String: [[UInt8]]]
    var calls = CallBook()
    var chance: Chance
    var links: [Link]
    /// Requests that set out when a line is open.
    var openings: [Int: (line: Int, bytes: [UInt8])] = [:]
    var lastLine = 0
    /// How much the record has, see `nextOrder`.
    var lastOrder = 0
    /// How many requests were sent in the present moment; in real time no two are in one.
    private(set) var requestsAtOnce = 0
    private var lastRequestAt = Duration.zero
    /// When the microphones are heard next.
    var nextTick = Duration.zero
    /// How long this program was kept from doing anything, by a machine that has other things to do.
    var stolen = Duration.zero
    /// Whether the hub was told to end when its calls are over.
    var isDraining = false
    /// The parties that the scenario expects to be told that their connection is closed.
    let partiesToBeClosed: Set<String>
    /// Until when devices may know of things at very different times.
    var unevenUntil = Duration.zero
    /// Since when a device has an audio session for a call that it holds.
    var heldWithAudio: [Int: Duration] = [:]
    /// Since when a device has a group of which a part is held.
    var heldInPart: [Int: Duration] = [:]
    /// Voices that were heard though the calls of others give no reason, and since when.
    var unexplained: [Unexplained] = []
    /// Until when each end of a conversation was last active.
    var lastActive: [CallUUID: Duration] = [:]
    /// The group that each end of a conversation was last in and has left, and when.
    var lastGroup: [CallUUID: (group: GroupUUID, until: Duration)] = [:]

    /// A voice for which there is no reason yet.
    struct Unexplained {
        var phone: Int
        var voice: Int
        var since: Duration
    }

    /// The devices of a scenario, none of which is signed in.
    ///
    /// - Parameters:
    ///   - scenario: What is to be run.
    ///   - stage: Where.
    ///   - accounts: What the parties are called at the hub.
    ///   - files: The packets of the files that are played.
    ///   - chance: What chance goes by.
    /// - Throws: ``MediaError`` where libopus cannot; ``SoundFault``.
    init(
        _ scenario: Scenario,
        on stage: any Stage,
        accounts: Accounts,
        files: [String: [[UInt8]]],
        chance: Chance
    ) throws {
        (self.stage, self.accounts, self.files, self.chance) = (stage, accounts, files, chance)
        let players = Self.filePlayers(scenario)
        let prints = try players.compactMap { party, file in
            try files[file].map { (party, try Fingerprint($0)) }
        }
        partiesToBeClosed = scenario.partiesToBeClosed
        voices = VoiceBook(scenario.parties, speakers: scenario.speakers, files: prints)
        pauses = try LongestPause.all(voices, players, files)
        var phones: [PhoneSession] = []
        let joints = pauses.map { .milliseconds(60) + stage.lateness + $0 }
        for party in scenario.parties where party.underTest == nil {
            for device in party.devices {
                let name = party.devices.count > 1 || device != nil ? device : nil
                phones.append(
                    PhoneSession(
                        Who(party.name, device: name),
                        party: party,
                        account: accounts.account(of: party.name),
                        start: self.chance.next(),
                        ear: Ear(voices),
                        heard: HeardVoices(joints: joints)
                    )
                )
            }
        }
        self.phones = phones
        links = Array(repeating: Link(), count: phones.count)
        nextTick = stage.now
        for index in phones.indices { try setMouth(phones[index].party.mouth, of: index) }
    }

    var now: Duration { stage.now }

    /// Counts a request.
    func countRequest() {
        let now = now
        requestsAtOnce = now == lastRequestAt ? requestsAtOnce + 1 : 1
        lastRequestAt = now
    }

    /// The device that a line names: of a party alone its first.
    func index(of who: Who) -> Int? {
        phones.firstIndex { $0.who.party == who.party && (who.device == nil || $0.who.device == who.device) }
    }

    /// Each party that plays a file somewhere, and the file.
    static func filePlayers(_ scenario: Scenario) -> [(party: Int, file: String)] {
        var players: [(party: Int, file: String)] = []
        func note(_ party: String, _ mouth: Mouth) {
            guard case .file(let file) = mouth,
                let index = scenario.parties.firstIndex(where: { $0.name == party })
            else { return }
            players.append((index, file))
        }
        func note(_ steps: [Step]) {
            for step in steps {
                switch step.deed {
                case .mouth(let who, let mouth): note(who.party, mouth)
                case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps): note(steps)
                default: break
                }
            }
        }
        for party in scenario.parties { note(party.name, party.mouth) }
        note(scenario.steps)
        return players
    }

    /// What goes into a device's microphone from now on.
    func setMouth(_ mouth: Mouth, of index: Int) throws {
        let phone = phones[index]
        switch mouth {
        case .tone:
            phone.microphone.hear(try voices.tonePlace(of: partyNumber(of: phone)).flatMap { try PartyTone.loop($0) })
        case .silence: phone.microphone.hearNothing()
        case .file(let file): phone.microphone.hear(files[file] ?? [])
        }
    }

    /// A device's party by its place, which is its voice's number as well.
    func partyNumber(of phone: PhoneSession) -> Int { voices.number(of: .party(phone.party.name)) ?? 0 }
}
