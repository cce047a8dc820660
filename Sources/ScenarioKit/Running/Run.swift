import HubEngine
import HubWire

/// Is told how a run goes on, while it does.
public protocol RunObserver: AnyObject {
    /// A line is begun.
    func began(_ step: StepRecord)
    /// A line is done, or has failed.
    func ended(_ step: StepRecord, isFailed: Bool)
}

/// Performs a scenario on a stage, once.
final class Run {
    let scenario: Scenario
    let ensemble: Ensemble
    var chance: Chance
    private(set) var record: RunRecord
    private let observer: (any RunObserver)?
    private let interruption: Interruption?
    /// How much each device had been told when the last step that is no expectation was begun.
    private var toldBefore: [Int] = []
    /// When it was done.
    var lastDeedEnded = Duration.zero
    /// What is judged at the end, with the number of its step.
    private var atTheEnd: [(step: Int, expectation: Assertion)] = []
    /// What devices' Recents were when they were last asked for.
    var recents: [Int: RecentsQuestion] = [:]
    /// How much of what devices were told of calls with apps was waited for.
    var seen: [SeenPlace: Int] = [:]
    /// How many of the digits that apps have keyed were waited for, by the call at the other end.
    var digitsSeen: [CallUUID: Int] = [:]
    /// How many blocks the present step stands in.
    var depth = 0

    /// A run that has not begun.
    ///
    /// - Parameters:
    ///   - scenario: What is performed.
    ///   - record: What is known of the run.
    ///   - ensemble: The devices on their stage.
    ///   - observer: Is told of each step.
    ///   - interruption: Ends the run before its time.
    init(
        _ scenario: Scenario,
        _ record: RunRecord,
        _ ensemble: Ensemble,
        _ observer: (any RunObserver)?,
        _ interruption: Interruption? = nil
    ) {
        (self.scenario, self.record, self.ensemble, self.observer) = (scenario, record, ensemble, observer)
        self.interruption = interruption
        chance = ensemble.chance
    }

    var now: Duration { ensemble.now }

    /// Performs the whole.
    func perform() -> RunRecord {
        do throws(StepFailure) {
            try signIn()
            try leaveThoseAway()
            markDeed()
            lastDeedEnded = now
            for step in scenario.steps { try perform(step) }
            try finish()
        } catch {
            fail(error)
        }
        record.duration = now
        record.devices = ensemble.phones.map { phone in
            var device = phone.record
            device.heard = phone.heard.spans(ensemble.voices)
            return device
        }
        ensemble.leave()
        return record
    }

    private func fail(_ failure: StepFailure) {
        guard case .passed = record.verdict else { return }
        let open = record.steps.lastIndex { $0.end == nil }
        let at = failure.at ?? now
        record.verdict = .failed(Failure(step: open, expected: failure.expected, came: failure.came, at: at))
        if let open { observer?.ended(record.steps[open], isFailed: true) }
    }

    // MARK: Beginning and end

    private func signIn() throws(StepFailure) {
        var numbers: [(phone: Int, number: Int)] = []
        for (index, phone) in ensemble.phones.enumerated() where isKnown(phone.party) {
            numbers.append((index, ensemble.connect(index, phone.signIn(resumes: false, at: now))))
        }
        for (index, number) in numbers {
            let phone = ensemble.phones[index]
            let isIn = try waits(Self.longestSignIn) { () throws(StepFailure) in
                if case .failure(let error)? = phone.replies[number] {
                    throw StepFailure(expected: "\(phone.who) signs in", came: self.ensemble.words(for: error))
                }
                if phone.line == .none {
                    throw StepFailure(expected: "\(phone.who) signs in", came: self.lastWord(of: index))
                }
                return phone.line == .open
            }
            guard isIn else {
                throw StepFailure(expected: "\(phone.who) signs in", came: "the hub does not answer")
            }
        }
    }

    /// Whether a party signs in before the story; one that is away does so where it can be woken, since nobody can wake a stranger.
    private func isKnown(_ party: Party) -> Bool { !party.isAway || scenario.settings.wakeWait != nil }

    /// Those who are away but known leave before the story.
    private func leaveThoseAway() throws(StepFailure) {
        for (index, phone) in ensemble.phones.enumerated() where phone.party.isAway && phone.line == .open {
            try carryOut([leave(index)])
            phone.wasThere = false
        }
    }

    /// Lets the last sound arrive, and judges what is of the whole run.
    private func finish() throws(StepFailure) {
        _ = try waits(Self.lastListening + ensemble.stage.slack) { () throws(StepFailure) in false }
        for (step, expectation) in atTheEnd {
            guard let failure = breach(of: expectation) else { continue }
            let expected = record.steps[step].expectation(hasTime: false) ?? failure.expected
            let last = Failure(step: step, expected: expected, came: failure.came, at: failure.at)
            if case .passed = record.verdict { record.verdict = .failed(last) }
            observer?.ended(record.steps[step], isFailed: true)
        }
    }

    /// Judged at the end.
    func judgeAtTheEnd(_ expectation: Assertion) {
        atTheEnd.append((record.steps.count - 1, expectation))
    }

    // MARK: Steps

    /// Performs a step, from its beginning to its end.
    func perform(_ step: Step) throws(StepFailure) {
        let place = begin(step)
        switch step.deed {
        case .expect(let expectation, let within): try expect(expectation, within: within)
        case .together(let steps): try deed { () throws(StepFailure) in try self.together(steps) }
        case .inAnyOrder(let steps): try inAnyOrder(steps)
        case .atRandom(let span, let steps):
            try deed { () throws(StepFailure) in try self.atRandom(within: span, steps) }
        case .wait(let duration):
            try deed { () throws(StepFailure) in
                _ = try self.waits(duration) { () throws(StepFailure) in false }
            }
        case .clockJumps(let duration):
            try deed { () throws(StepFailure) in try self.jump(duration) }
        default:
            let task = try task(for: step.deed)
            try deed { () throws(StepFailure) in try self.carryOut([task]) }
        }
        end(place)
    }

    /// A step that is no expectation: what comes after it counts from it on.
    private func deed(_ body: () throws(StepFailure) -> Void) throws(StepFailure) {
        markDeed()
        try body()
        lastDeedEnded = now
        // What the hub tells right behind its answer belongs to this step, and not to the next.
        let settling = ensemble.stage.settling
        if settling > .zero { _ = try waits(settling) { () throws(StepFailure) in false } }
        // Where no time passes by itself, a story of many requests would be faster than a hub lets a client be.
        if ensemble.requestsAtOnce >= Self.mostRequestsAtOnce {
            _ = try waits(Self.breath) { () throws(StepFailure) in false }
        }
    }

    private func markDeed() { toldBefore = ensemble.phones.map(\.told.count) }

    /// What a device was told since the last step that is no expectation.
    func toldSinceDeed(_ who: Who) -> [WireNotification] {
        guard let index = ensemble.index(of: who), index < toldBefore.count else { return [] }
        return ensemble.phones[index].told.dropFirst(toldBefore[index]) + []
    }

    /// Notes that a step is begun; returns its number.
    func begin(_ step: Step) -> Int {
        let step = StepRecord(line: step.line, text: step.text, depth: depth, begin: now, order: ensemble.nextOrder())
        record.steps.append(step)
        observer?.began(step)
        return record.steps.count - 1
    }

    /// Notes that a step is done.
    func end(_ place: Int) {
        record.steps[place].end = now
        observer?.ended(record.steps[place], isFailed: false)
    }

    /// Notes what a step had to wait for.
    func noteOnStep(_ note: String) {
        if let last = record.steps.indices.last { record.steps[last].note = note }
    }

    private func jump(_ duration: Duration) throws(StepFailure) {
        ensemble.noteUneven()
        ensemble.letConnectionsEnd()
        do throws(StageFault) {
            try ensemble.stage.jumpClock(by: duration)
        } catch {
            throw StepFailure(expected: "the clock jumps", came: error.sentence)
        }
        ensemble.pass(until: now)
        ensemble.noteUneven()
    }

    // MARK: Time

    /// Lets time pass until something is so, at most for so long; time in which the machine let nothing happen is none.
    ///
    /// - Returns: Whether it has become so.
    func waits(
        _ patience: Duration,
        _ condition: () throws(StepFailure) -> Bool
    ) throws(StepFailure) -> Bool {
        let (begin, stolen) = (now, ensemble.stolen)
        while true {
            let deadline = begin + patience + (ensemble.stolen - stolen)
            if let breach = ensemble.breach { throw StepFailure(breach) }
            if interruption?.isOn ?? false {
                throw StepFailure(expected: "the run goes on", came: "it was interrupted")
            }
            if try condition() { return true }
            if now >= deadline { return false }
            ensemble.pass(until: deadline)
        }
    }

    /// What happened last to a device's connection.
    func lastWord(of index: Int) -> String {
        let last = ensemble.phones[index].record.messages.last { $0.kind == .connection || $0.kind == .refusal }
        return last?.summary ?? "the connection is gone"
    }

    /// With the breath after them they are half as many as a hub takes of one connection.
    private static let mostRequestsAtOnce = 20
    private static let breath = Duration.milliseconds(200)
    /// A hub on a busy machine may take so long.
    private static let longestSignIn = Duration.seconds(20)
    /// What leaks after the last step is to be heard.
    private static let lastListening = Duration.milliseconds(100)
}
