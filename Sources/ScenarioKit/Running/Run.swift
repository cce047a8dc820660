import HubEngine
import HubWire

/// An observer of a run's steps.
public protocol RunObserver: AnyObject {
    /// Called at the beginning of a step.
    func began(_ step: StepRecord)
    /// Called when a step is done or has failed.
    func ended(_ step: StepRecord, isFailed: Bool)
}

/// A single execution of a scenario on a stage.
final class Run {
    let scenario: Scenario
    let ensemble: Ensemble
    var chance: Chance
    private(set) var record: RunRecord
    private let observer: (any RunObserver)?
    private let interruption: Interruption?
    /// The number of notifications of each device at the beginning of the last step that is no expectation.
    private var toldBefore: [Int] = []
    /// The time at which that step was done.
    var lastDeedEnded = Duration.zero
    /// The expectations to evaluate at the end, with the indices of their steps.
    private var atTheEnd: [(step: Int, expectation: Assertion)] = []
    /// The last request for Recents of each device, by its index.
    var recents: [Int: RecentsQuestion] = [:]
    /// The number of notifications about calls with apps that were already searched.
    var seen: [SeenPlace: Int] = [:]
    /// The number of apps' digits that were already waited for, by the call at the other end.
    var digitsSeen: [CallUUID: Int] = [:]
    /// The number of blocks around the present step.
    var depth = 0

    /// Creates a run that has not begun.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to perform.
    ///   - record: The empty record of the run.
    ///   - ensemble: The simulated devices and their stage.
    ///   - observer: The observer of the steps; nil: none.
    ///   - interruption: A switch that interrupts the run; nil: none.
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

    /// Performs the whole scenario, and returns its record.
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

    /// Indicates that a party signs in before the first step.
    ///
    /// With a push waiting time this includes parties that are away: the hub can send push notifications only to known
    /// devices.
    private func isKnown(_ party: Party) -> Bool { !party.isAway || scenario.settings.wakeWait != nil }

    /// Signs out the parties that are away, before the first step.
    private func leaveThoseAway() throws(StepFailure) {
        for (index, phone) in ensemble.phones.enumerated() where phone.party.isAway && phone.line == .open {
            try carryOut([leave(index)])
            phone.wasThere = false
        }
    }

    /// Waits for the last sound, and evaluates the expectations of the whole run.
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

    /// Registers an expectation for evaluation at the end.
    func judgeAtTheEnd(_ expectation: Assertion) {
        atTheEnd.append((record.steps.count - 1, expectation))
    }

    // MARK: Steps

    /// Performs a step from its beginning to its end.
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

    /// Performs a step that is no expectation; later expectations count from it on.
    private func deed(_ body: () throws(StepFailure) -> Void) throws(StepFailure) {
        markDeed()
        try body()
        lastDeedEnded = now
        // Notifications right after the hub's reply belong to this step, not to the next one.
        let settling = ensemble.stage.settling
        if settling > .zero { _ = try waits(settling) { () throws(StepFailure) in false } }
        // In virtual time many requests could exceed the hub's rate limit for a client.
        if ensemble.requestsAtOnce >= Self.mostRequestsAtOnce {
            _ = try waits(Self.breath) { () throws(StepFailure) in false }
        }
    }

    private func markDeed() { toldBefore = ensemble.phones.map(\.told.count) }

    /// Returns the notifications of a device since the last step that is no expectation.
    func toldSinceDeed(_ who: Who) -> [WireNotification] {
        guard let index = ensemble.index(of: who), index < toldBefore.count else { return [] }
        return ensemble.phones[index].told.dropFirst(toldBefore[index]) + []
    }

    /// Records the beginning of a step; returns its index.
    func begin(_ step: Step) -> Int {
        let step = StepRecord(line: step.line, text: step.text, depth: depth, begin: now, order: ensemble.nextOrder())
        record.steps.append(step)
        observer?.began(step)
        return record.steps.count - 1
    }

    /// Records the end of a step.
    func end(_ place: Int) {
        record.steps[place].end = now
        observer?.ended(record.steps[place], isFailed: false)
    }

    /// Records a note on the present step.
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

    /// Lets time pass until a condition holds, at most for a duration.
    ///
    /// Time in which the machine did not schedule this process is added to the duration.
    ///
    /// - Returns: True if the condition holds; false after the duration.
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

    /// Describes the last event or refusal on a device's connection.
    func lastWord(of index: Int) -> String {
        let last = ensemble.phones[index].record.messages.last { $0.kind == .connection || $0.kind == .refusal }
        return last?.summary ?? "the connection is gone"
    }

    /// The maximum number of simultaneous requests; with the pause, half of what a hub accepts per connection.
    private static let mostRequestsAtOnce = 20
    private static let breath = Duration.milliseconds(200)
    /// The maximum time for signing in, long enough for a hub on a busy machine.
    private static let longestSignIn = Duration.seconds(20)
    /// The time after the last step in which unexpected sound is detected.
    private static let lastListening = Duration.milliseconds(100)
}
