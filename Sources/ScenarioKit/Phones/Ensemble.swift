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
    }

    let stage: any Stage
    /// What stands behind each account's name, so that runs on one hub do not meet.
    let suffix: String
    let voices: VoiceBook
    let phones: [PhoneSession]
    private let files: [String: [[UInt8]]]
    var calls = CallBook()
    var chance: Chance
    var links: [Link]
    /// Requests that set out when a line is open.
    var openings: [Int: (line: Int, bytes: [UInt8])] = [:]
    private var lastLine = 0
    private var nextTick = Duration.zero
    /// How long this program was kept from doing anything, by a machine that has other things to do.
    private(set) var stolen = Duration.zero
    /// Until when devices may know of things at very different times.
    private(set) var unevenUntil = Duration.zero
    /// Since when a device has an audio session for a call that it holds.
    var heldWithAudio: [Int: Duration] = [:]
    /// Voices that were heard though the calls of others give no reason, and since when.
    var unexplained: [Unexplained] = []
    /// Until when each end of a conversation was last active.
    var lastActive: [CallUUID: Duration] = [:]

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
    ///   - suffix: What stands behind each account's name.
    ///   - files: The packets of the files that are played.
    ///   - chance: What chance goes by.
    /// - Throws: ``MediaError`` where libopus cannot.
    init(
        _ scenario: Scenario,
        on stage: any Stage,
        suffix: String,
        files: [String: [[UInt8]]],
        chance: Chance
    ) throws {
        (self.stage, self.suffix, self.files, self.chance) = (stage, suffix, files, chance)
        let prints = try Self.filePlayers(scenario).compactMap { party, file in
            try files[file].map { (party, try Fingerprint($0)) }
        }
        voices = VoiceBook(parties: scenario.parties.map(\.name), files: prints)
        var phones: [PhoneSession] = []
        let joint = Duration.milliseconds(60) + stage.lateness
        for party in scenario.parties {
            for device in party.devices {
                let name = party.devices.count > 1 || device != nil ? device : nil
                phones.append(
                    PhoneSession(
                        Who(party.name, device: name),
                        party: party,
                        account: party.name + suffix,
                        start: self.chance.next(),
                        ear: Ear(voices),
                        heard: HeardVoices(voices: voices.voices.count, joint: joint)
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
        case .tone: phone.microphone.hear(try PartyTone.loop(partyNumber(of: phone)))
        case .silence: phone.microphone.hearNothing()
        case .file(let file): phone.microphone.hear(files[file] ?? [])
        }
    }

    /// A device's party by its place, which is its voice's number as well.
    func partyNumber(of phone: PhoneSession) -> Int { voices.number(of: .party(phone.party.name)) ?? 0 }

    // MARK: Lines

    /// Connects a device; the request sets out as soon as that is done.
    func connect(_ index: Int, _ request: ClientRequest) -> Int {
        cut(index)
        lastLine += 1
        let phone = phones[index]
        let (number, bytes) = phone.text(of: request)
        phone.line = .opening
        phone.lineNumber = lastLine
        openings[index] = (lastLine, bytes)
        note(index, .request, request.method.rawValue, words(for: request), bytes: bytes)
        stage.connect(lastLine)
        return number
    }

    /// A device's line is gone without a word.
    func cut(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.cut(line)
        lineIsGone(index)
    }

    /// A device closes its line in good order.
    func hangUp(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.hangUp(line)
        lineIsGone(index)
    }

    private func lineIsGone(_ index: Int) {
        openings[index] = nil
        links[index].shape.clear()
        links[index].isFull = false
        phones[index].loseLine(at: now)
    }

    /// A device sends a request.
    ///
    /// - Returns: Its number, by which the answer is known.
    func ask(_ index: Int, _ request: ClientRequest) -> Int {
        let (number, bytes) = phones[index].text(of: request)
        note(index, .request, request.method.rawValue, words(for: request), bytes: bytes)
        send(.text(bytes), index)
        return number
    }

    private func send(_ message: LineMessage, _ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        guard !links[index].shape.isPlain else { return stage.send(message, over: line) }
        // A client throws old sound away rather than have it wait.
        if case .audio = message, links[index].shape.up.backlog(at: now) > .milliseconds(200) { return }
        let shape = links[index].shape
        links[index].shape.up.send(message, shape, at: now)
    }

    /// A device's connection is treated otherwise from now on.
    func bend(_ index: Int, _ change: (inout Link) -> Void) {
        change(&links[index])
        applyReading(index)
        noteUneven()
    }

    private func applyReading(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.setReading(links[index].reads, line)
    }

    /// From now on for a while devices learn of things at very different times.
    func noteUneven() { unevenUntil = max(unevenUntil, now + .seconds(2)) }

    // MARK: Time

    /// Lets time pass, to a moment or until something has happened.
    func pass(until deadline: Duration) {
        var moment = min(deadline, nextTick)
        for link in links { if let due = link.shape.due { moment = min(moment, due) } }
        for happening in stage.wait(until: moment) { take(happening) }
        moveLinks()
        speak()
        watchRules()
    }

    private func speak() {
        let now = now
        if nextTick + .milliseconds(60) < now {
            stolen += now - nextTick
            noteUneven()
        }
        // After a long stall what was not said is left out.
        if nextTick + .milliseconds(200) < now { nextTick = now }
        while nextTick <= now {
            nextTick += .milliseconds(20)
            for index in phones.indices {
                if let packet = phones[index].nextPacket() { send(.audio(packet), index) }
            }
        }
    }

    private func moveLinks() {
        let now = now
        for index in links.indices where !links[index].shape.isPlain {
            if let line = phones[index].lineNumber {
                for message in links[index].shape.up.arrived(at: now) { stage.send(message, over: line) }
            }
            for message in links[index].shape.down.arrived(at: now) { receive(message, index) }
            let backlog = links[index].shape.down.backlog(at: now)
            let isFull = links[index].isFull ? backlog > .milliseconds(40) : backlog > .milliseconds(100)
            if isFull != links[index].isFull {
                links[index].isFull = isFull
                applyReading(index)
            }
            noteUneven()
        }
        if links.contains(where: { $0.isFrozen }) { noteUneven() }
    }

    private func take(_ happening: Happening) {
        guard let index = phones.firstIndex(where: { $0.lineNumber == happening.line }) else { return }
        switch happening.content {
        case .opened:
            guard let opening = openings.removeValue(forKey: index), opening.line == happening.line else { return }
            if !links[index].reads { applyReading(index) }
            send(.text(opening.bytes), index)
        case .message(let message):
            guard !links[index].shape.isPlain else { return receive(message, index) }
            let shape = links[index].shape
            links[index].shape.down.send(message, shape, at: now)
        case .ended(let why):
            for message in links[index].shape.down.waiting { receive(message.message, index) }
            note(index, .connection, "ended", why)
            lineIsGone(index)
            noteUneven()
        }
    }
}
