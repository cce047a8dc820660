import ScenarioKit

/// Builds the result of a synthetic run.
struct RunResultBuilder {
    private(set) var record: RunResult
    private var now = Duration.zero
    private var order = 0
    private var open: [Int: AudioSpan] = [:]
    private var held: [Int: [HeldSpan]] = [:]
    private var currentVoices: [Int: (begin: Duration, voices: [Voice])] = [:]

    init(
        _ title: String,
        _ devices: [DeviceReference],
        file: String? = "Tests/Scenarios/invented.calls",
        seed: UInt64 = 42
    ) {
        var scenario = Scenario(title: title)
        var names: Set<String> = []
        scenario.parties = devices.map(\.party).filter { names.insert($0).inserted }.map { Party($0) }
        record = RunResult(scenario, file: file, seed: seed)
        record.devices = devices.map { DeviceRecord($0) }
    }

    /// Advances the time.
    mutating func advance(_ milliseconds: Int) { now += .milliseconds(milliseconds) }

    /// Ends the current step, and begins another one.
    mutating func step(_ text: String, note: String? = nil, depth: Int = 0) {
        finishStep()
        var step = StepRecord(line: record.steps.count + 3, text: text, depth: depth, begin: now, order: nextOrder())
        step.note = note
        record.steps.append(step)
        now += .microseconds(300)
    }

    mutating func finishStep() {
        if let last = record.steps.indices.last, record.steps[last].end == nil { record.steps[last].end = now }
    }

    /// Adds a request of a device and its reply.
    mutating func addRequest(_ device: Int, _ method: String, _ summary: String, refusal: String? = nil) {
        note(device, .request, method, summary)
        now += .milliseconds(3)
        note(device, refusal == nil ? .reply : .refusal, method, refusal ?? "")
        now += .microseconds(200)
    }

    /// Adds a notification of the hub to a device.
    mutating func addNotification(_ device: Int, _ method: String, _ summary: String, after microseconds: Int = 200) {
        note(device, .notification, method, summary)
        now += .microseconds(microseconds)
    }

    mutating func note(_ device: Int, _ kind: MessageRecord.Kind, _ method: String, _ summary: String) {
        let json = "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"summary\":\"\(summary)\"}}"
        var message = MessageRecord(at: now, kind: kind, method: method, summary: summary)
        if kind != .connection { message.json = json }
        message.order = nextOrder()
        record.devices[device].messages.append(message)
    }

    private mutating func nextOrder() -> Int {
        order += 1
        return order
    }

    mutating func activate(_ device: Int, _ calls: [String]) {
        deactivate(device)
        open[device] = AudioSpan(begin: now, calls: calls.map { CallName($0) })
        addNotification(device, "provider.didActivateAudioSession", "audio on for \(calls.joined(separator: ", "))")
    }

    mutating func deactivate(_ device: Int) {
        guard var span = open.removeValue(forKey: device) else { return }
        span.end = now
        record.devices[device].audio.append(span)
        addNotification(device, "provider.didDeactivateAudioSession", "audio off")
    }

    mutating func hold(_ device: Int, _ call: String) {
        held[device, default: []].append(HeldSpan(begin: now, call: CallName(call)))
    }

    mutating func unhold(_ device: Int, _ call: String) {
        guard let index = held[device]?.firstIndex(where: { $0.call.text == call }) else { return }
        guard var span = held[device]?.remove(at: index) else { return }
        span.end = now
        record.devices[device].held.append(span)
    }

    /// Sets the voices that a device receives from now on.
    mutating func hears(_ device: Int, _ voices: [Voice]) {
        if let before = currentVoices.removeValue(forKey: device), before.begin < now {
            record.devices[device].receivedVoices.append(
                ReceivedVoicesSpan(begin: before.begin, end: now, voices: before.voices)
            )
        }
        if !voices.isEmpty { currentVoices[device] = (now, voices) }
    }

    mutating func hears(_ device: Int, _ parties: String...) { hears(device, parties.map(Voice.party)) }

    /// Ends the run and returns it.
    mutating func end(_ verdict: Verdict = .passed) -> RunResult {
        for device in record.devices.indices { hears(device, []) }
        for (device, span) in open { record.devices[device].audio.append(span) }
        for (device, spans) in held { record.devices[device].held += spans }
        if verdict == .passed { finishStep() }
        record.duration = now
        record.verdict = verdict
        return record
    }
}
