import HubAccountData
import HubEngine
import HubWire

/// An observer of a run's steps.
public protocol RunObserver: AnyObject {
    /// Called at the beginning of a step.
    func began(_ step: StepRecord)
    /// Called when a step is done or has failed.
    func ended(_ step: StepRecord, isFailed: Bool)
}

/// A single execution of a scenario on a test environment.
///
/// Each step is a task of its own, so that several can be in progress at once. A run advances its environment's time,
/// and everything in it is on one thread; many runs go on beside one another.
final class Run {
    let scenario: Scenario
    let devicePool: DevicePool
    var random: ScenarioRandomSource
    private(set) var record: RunResult
    private let observer: (any RunObserver)?
    private let interruption: Interruption?
    /// The number of notifications of each device at the beginning of the last step that is no expectation.
    private var notificationCountsBefore: [Int] = []
    /// The time at which that step was done.
    var lastActionEnded = Duration.zero
    /// The expectations to evaluate at the end, with the indices of their steps.
    private var deferredExpectations: [(step: Int, expectation: Assertion)] = []
    /// The last request for Recents of each device, by its index.
    var recents: [Int: ListRequest<RecentEntry>] = [:]
    /// The last request for the account's providers of each device, by its index.
    var providers: [Int: ListRequest<ListedProvider>] = [:]
    /// The last request for the account's call directories of each device, by its index.
    var directories: [Int: ListRequest<DirectoryStatus>] = [:]
    /// The numbers of each device's requests for icons and ringtones, by their hashes.
    var mediaRequests: [Int: [String: Int]] = [:]
    /// The names of the icons and ringtones that parties have shown.
    var shownMedia: [[UInt8]: String] = [:]
    /// The number of notifications about calls with apps that were already searched.
    var observedCounts: [ObservedCallKey: Int] = [:]
    /// The number of apps' digits that were already waited for, by the call at the other end.
    var observedDigitCounts: [CallUUID: Int] = [:]
    /// The number of blocks around the present step.
    var depth = 0

    /// Creates a run that has not begun.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to perform.
    ///   - record: The empty record of the run.
    ///   - devicePool: The simulated devices and their test environment.
    ///   - observer: The observer of the steps; nil: none.
    ///   - interruption: A switch that interrupts the run; nil: none.
    init(
        _ scenario: Scenario,
        _ record: RunResult,
        _ devicePool: DevicePool,
        _ observer: (any RunObserver)?,
        _ interruption: Interruption? = nil
    ) {
        (self.scenario, self.record, self.devicePool, self.observer) = (scenario, record, devicePool, observer)
        self.interruption = interruption
        random = devicePool.random
    }

    var now: Duration { devicePool.now }

    /// Performs the whole scenario, and returns its record.
    func perform() -> RunResult {
        do throws(StepFailure) {
            try signIn()
            try signOutAwayParties()
            markActionStart()
            lastActionEnded = now
            for step in scenario.steps { try perform(step) }
            try finish()
        } catch {
            fail(error)
        }
        record.duration = now
        record.devices = devicePool.devices.map { device in
            var deviceRecord = device.record
            deviceRecord.receivedVoices = device.receivedVoices.spans(devicePool.voices)
            return deviceRecord
        }
        devicePool.leave()
        return record
    }

    private func fail(_ failure: StepFailure) {
        guard case .passed = record.verdict else { return }
        let open = record.steps.lastIndex { $0.end == nil }
        let at = failure.at ?? now
        record.verdict = .failed(Failure(step: open, expected: failure.expected, actual: failure.actual, at: at))
        if let open { observer?.ended(record.steps[open], isFailed: true) }
    }

    // MARK: Beginning and end

    private func signIn() throws(StepFailure) {
        var numbers: [(device: Int, number: Int)] = []
        try launchApps()
        for (index, device) in devicePool.devices.enumerated() where isKnown(device.party) && device.app == nil {
            numbers.append((index, devicePool.connect(index, device.signIn(resumes: false, at: now))))
        }
        for (index, number) in numbers {
            let device = devicePool.devices[index]
            let isIn = try waitUntil(Self.signInTimeout) { () throws(StepFailure) in
                if case .failure(let error)? = device.replies[number] {
                    throw StepFailure(
                        expected: "\(device.deviceReference) signs in",
                        actual: self.devicePool.description(for: error)
                    )
                }
                if device.connection == .none {
                    throw StepFailure(
                        expected: "\(device.deviceReference) signs in",
                        actual: self.lastConnectionEvent(of: index)
                    )
                }
                return device.connection == .open
            }
            guard isIn else {
                throw StepFailure(expected: "\(device.deviceReference) signs in", actual: "no reply from the hub")
            }
        }
    }

    /// Indicates that a party signs in before the first step.
    ///
    /// With a push waiting time this includes parties that are away: the hub can send push notifications only to known
    /// devices.
    private func isKnown(_ party: Party) -> Bool { !party.isAway || scenario.settings.pushWait != nil }

    /// Signs out the parties that are away, before the first step.
    private func signOutAwayParties() throws(StepFailure) {
        for (index, device) in devicePool.devices.enumerated() where device.party.isAway && device.connection == .open {
            try performTasks([leave(index)])
            device.wasSignedIn = false
        }
    }

    /// Waits for the last sound, and evaluates the expectations of the whole run.
    private func finish() throws(StepFailure) {
        _ = try waitUntil(Self.finalListeningTime + devicePool.environment.maximumNotificationSkew) {
            () throws(StepFailure) in
            false
        }
        for (step, expectation) in deferredExpectations {
            guard let failure = violation(of: expectation) else { continue }
            let expected = record.steps[step].expectation(hasTime: false) ?? failure.expected
            let last = Failure(step: step, expected: expected, actual: failure.actual, at: failure.at)
            if case .passed = record.verdict { record.verdict = .failed(last) }
            observer?.ended(record.steps[step], isFailed: true)
        }
    }

    /// Registers an expectation for evaluation at the end.
    func evaluateAtEnd(_ expectation: Assertion) {
        deferredExpectations.append((record.steps.count - 1, expectation))
    }

    // MARK: Steps

    /// Performs a step from its beginning to its end.
    func perform(_ step: Step) throws(StepFailure) {
        let position = begin(step)
        switch step.stepAction {
        case .expect(let expectation, let within): try expect(expectation, within: within)
        case .together(let steps): try stepAction { () throws(StepFailure) in try self.together(steps) }
        case .inAnyOrder(let steps): try inAnyOrder(steps)
        case .atRandom(let span, let steps):
            try stepAction { () throws(StepFailure) in try self.atRandom(within: span, steps) }
        case .wait(let duration):
            try stepAction { () throws(StepFailure) in
                _ = try self.waitUntil(duration) { () throws(StepFailure) in false }
            }
        case .clockJumps(let duration):
            try stepAction { () throws(StepFailure) in try self.jump(duration) }
        default:
            let task = try task(for: step.stepAction)
            try stepAction { () throws(StepFailure) in try self.performTasks([task]) }
        }
        end(position)
    }

    /// Performs a step that is no expectation; later expectations count from it on.
    private func stepAction(_ body: () throws(StepFailure) -> Void) throws(StepFailure) {
        markActionStart()
        try body()
        lastActionEnded = now
        // Notifications right after the hub's reply belong to this step, not to the next one.
        let settlingTime = devicePool.environment.settlingTime
        if settlingTime > .zero { _ = try waitUntil(settlingTime) { () throws(StepFailure) in false } }
        // In virtual time many requests could exceed the hub's rate limit for a client.
        if devicePool.simultaneousRequests >= Self.maximumSimultaneousRequests {
            _ = try waitUntil(Self.requestPause) { () throws(StepFailure) in false }
        }
    }

    private func markActionStart() { notificationCountsBefore = devicePool.devices.map(\.notifications.count) }

    /// Returns the notifications of a device since the last step that is no expectation.
    func notificationsSinceAction(_ deviceReference: DeviceReference) -> [WireNotification] {
        guard let index = devicePool.index(of: deviceReference), index < notificationCountsBefore.count else {
            return []
        }
        return devicePool.devices[index].notifications.dropFirst(notificationCountsBefore[index]) + []
    }

    /// Records the beginning of a step; returns its index.
    func begin(_ step: Step) -> Int {
        let step = StepRecord(line: step.line, text: step.text, depth: depth, begin: now, order: devicePool.nextOrder())
        record.steps.append(step)
        observer?.began(step)
        return record.steps.count - 1
    }

    /// Records the end of a step.
    func end(_ position: Int) {
        record.steps[position].end = now
        observer?.ended(record.steps[position], isFailed: false)
    }

    /// Records a note on the present step.
    func noteOnStep(_ note: String) {
        if let last = record.steps.indices.last { record.steps[last].note = note }
    }

    private func jump(_ duration: Duration) throws(StepFailure) {
        devicePool.allowDeliverySkew()
        devicePool.allowDisconnects()
        do throws(TestEnvironmentError) {
            try devicePool.environment.advanceClock(by: duration)
        } catch {
            throw StepFailure(expected: "the clock jumps", actual: error.sentence)
        }
        devicePool.advance(until: now)
        devicePool.allowDeliverySkew()
    }

    // MARK: Time

    /// Lets time pass until a condition holds, at most for a duration.
    ///
    /// Time in which the machine did not schedule this process is added to the duration.
    ///
    /// - Returns: True if the condition holds; false after the duration.
    func waitUntil(
        _ timeout: Duration,
        _ condition: () throws(StepFailure) -> Bool
    ) throws(StepFailure) -> Bool {
        let (begin, unscheduledTime) = (now, devicePool.unscheduledTime)
        while true {
            let deadline = begin + timeout + (devicePool.unscheduledTime - unscheduledTime)
            if let violation = devicePool.violation { throw StepFailure(violation) }
            if interruption?.isOn ?? false {
                throw StepFailure(expected: "the run goes on", actual: "it was interrupted")
            }
            if try condition() { return true }
            if now >= deadline { return false }
            devicePool.advance(until: deadline)
        }
    }

    /// Describes the last event or refusal on a device's connection.
    func lastConnectionEvent(of index: Int) -> String {
        let last = devicePool.devices[index].record.messages.last { $0.kind == .connection || $0.kind == .refusal }
        return last?.summary ?? "the connection is gone"
    }

    /// The maximum number of simultaneous requests; with the pause, half of what a hub accepts per connection.
    private static let maximumSimultaneousRequests = 20
    private static let requestPause = Duration.milliseconds(200)
    /// The maximum time for signing in, long enough for a hub on a busy machine.
    static let signInTimeout = Duration.seconds(20)
    /// The time after the last step in which unexpected sound is detected.
    private static let finalListeningTime = Duration.milliseconds(100)
}
