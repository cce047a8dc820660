import CallAudio
import CommandLineClient
import CommandLineTools
import Foundation
import HubAccountData
import HubClient
import HubMedia
import HubWire

/// The phone's main loop: handles events, typed lines, timers and signals in order, and decides when to exit.
final class Phone {
    let settings: PhoneSettings
    let client: HubClient
    let audio: CallAudioThread
    let reporter: PhoneReporter
    private let takesCommands: Bool
    private let inputs: AsyncStream<PhoneInput>
    let post: AsyncStream<PhoneInput>.Continuation

    /// The calls that have not ended, oldest first.
    var calls: [CallSnapshot] = []
    /// The recent calls as last listed; nil: not yet, or they have changed since.
    var recents: [RecentEntry]?
    /// Calls that were requested and have not been reported by the hub yet.
    var placed: Set<CallUUID> = []
    /// The last line about the people in a conversation; nil: there is none.
    var lastParticipantsLine: String?
    /// Calls that --answer has answered.
    var answered: Set<CallUUID> = []
    /// The active audio session.
    var session: AudioSession?
    /// Keys after a `;`, which wait for the user's command.
    var waitingKeys: [Action] = []
    var isConnectionLost = false
    /// Indicates that any call has connected.
    var hasTalked = false
    /// Indicates that the call of the command line has existed; then the phone exits with the last call.
    var hadCall = false

    /// The number of requests without a response.
    var openRequests = 0
    /// Lines that are queued until a typed `wait` is over.
    private var lines: [String] = []
    private var isWaiting = false
    private var linesEnded = false
    private var soundFailed = false
    /// Indicates that an operator leaves once all commands are answered.
    private var hasQuit = false
    /// The name of the operated device's app, as last reported; nil: not yet, or it has none.
    var app: String?
    /// The effect that the next line of an operator's script waits for; nil: none.
    var awaitedEffect: ExpectedEffect?
    /// The number of the last such effect.
    var effectNumber = 0
    /// Indicates that a command was refused, or could not be read.
    private var commandFailed = false
    private var isHangingUp = false
    private var exit: PhoneExit?

    init(
        settings: PhoneSettings,
        client: HubClient,
        audio: CallAudioThread,
        reporter: PhoneReporter,
        takesCommands: Bool
    ) {
        self.settings = settings
        self.client = client
        self.audio = audio
        self.reporter = reporter
        self.takesCommands = takesCommands
        (inputs, post) = AsyncStream.makeStream(of: PhoneInput.self)
    }

    /// Runs until the phone exits; returns the reason.
    func run() async -> PhoneExit {
        begin()
        for await input in inputs {
            handle(input)
            checkEffect()
            if exit == nil, isDone { exit = verdict }
            if exit != nil, hasEndedCalls() { break }
            reporter.prompt()
        }
        return await leave()
    }

    private func begin() {
        let post = post
        let events = client.events
        Task { for await event in events { post.yield(.event(event)) } }
        Signals.handle([SIGINT, SIGTERM, SIGHUP]) { _ in post.yield(.signal) }
        audio.begin(output: client) { post.yield(.audio($0)) }
        reportSignedIn()
        if isOperator { beginOperating() }
        if let link = settings.link, settings.call == nil {
            reporter.report(
                PhoneEvent(event: "link", handle: link.callee.text),
                "Return calls \(visible(link.callee.text)), and hangs up; quit leaves."
            )
        }
        if takesCommands {
            reporter.wantsPrompt = Console.isTerminal(STDIN_FILENO)
            StandardInputLines.read(into: post)
        }
        if let handle = settings.call { place(handle) } else { waitForCalls() }
    }

    // MARK: Inputs

    private func handle(_ input: PhoneInput) {
        switch input {
        case .event(let event):
            handle(event)
        case .audio(.played):
            reporter.report(PhoneEvent(event: "played"), "The sound to be played is over.", emphasis: .faint)
            if settings.seconds == nil, isForOneCall { later(tailAfterPlaying, .tailPassed) }
        case .audio(.failed(let error)):
            soundFailed = true
            reporter.failure(error.description)
        case .line(let line):
            reporter.promptIsUsed()
            guard !hasQuit else { break }
            lines.append(line)
            performLines()
        case .unreadableLine(let sentence):
            fail(sentence)
        case .linesEnded:
            linesEnded = true
            // Ctrl-D at a terminal quits.
            if reporter.wantsPrompt { quit() }
        case .effectTimedOut(let number):
            effectTimedOut(number)
        case .waited:
            isWaiting = false
            performLines()
        case .accepted:
            openRequests -= 1
            performLines()
        case .refused(let error, let call):
            openRequests -= 1
            if let call { placed.remove(call) }
            refused(error)
            performLines()
        case .recents(let entries, let number):
            recents = entries
            if let number { redial(number) } else { listRecents() }
        case .elsewhere(let others, let which):
            pull(which, among: others)
        case .people(let people, let isCut):
            list(people, isCut: isCut)
        case .holdAudioChosen(let choice): reportHoldAudio(choice)
        case .quietHoursSkipped(let end):
            reportSkipped(until: end)
        case .providers(let providers):
            reportApp(among: providers)
        case .roundTripMeasured(let time):
            let milliseconds = Double(time.wholeNanoseconds / 1_000) / 1_000
            reporter.report(PhoneEvent(event: "ping", milliseconds: milliseconds), "\(milliseconds) ms")
        case .signal, .talkedLongEnough, .tailPassed:
            // A second Ctrl-C does not wait for the calls to end.
            if exit != nil { calls = [] }
            exit = exit ?? verdict
        case .waitedLongEnough:
            if !hasTalked { exit = exit ?? verdict }
        case .hangUpTimedOut:
            calls = []
        }
    }

    private func refused(_ error: HubClientError) {
        var code: Int?
        if case .refused(let refusal) = error { code = refusal.code.number }
        fail(error.description, code: code)
        if isHangingUp { calls = [] }
        // A call that was refused before it existed is over.
        if settings.call != nil, !hadCall { exit = exit ?? .noCall }
    }

    /// Reports that a command failed.
    func fail(_ sentence: String, code: Int? = nil) {
        commandFailed = true
        awaitedEffect = nil
        reporter.failure(sentence, code: code)
        // The lines that follow are meant for the effect of this one.
        if isScript, !settings.keepsGoing { (lines, linesEnded, hasQuit) = ([], true, true) }
    }

    /// Handles the end of the client that the user did not request.
    func lost(_ error: HubClientError) {
        reporter.failure(error.description)
        exit = .noHub
    }

    /// Makes the phone exit as the user requested.
    func quit() {
        guard isOperator else { return exit = exit ?? .ended }
        // Lines typed before are answered first.
        (lines, linesEnded, hasQuit) = ([], true, true)
    }

    // MARK: Exit

    /// Indicates that the phone serves the call or calls of the command line, and exits after them.
    private var isForOneCall: Bool { settings.call != nil || settings.answers }

    /// Indicates that nothing is left to do.
    private var isDone: Bool {
        if isOperator { return (hasQuit || settings.seconds == nil) && haveLinesEnded }
        guard calls.isEmpty, placed.isEmpty else { return false }
        if isForOneCall { return hadCall }
        return haveLinesEnded
    }

    /// Indicates that standard input is at its end, and all its commands are answered.
    private var haveLinesEnded: Bool {
        linesEnded && lines.isEmpty && !isWaiting && awaitedEffect == nil && openRequests == 0
    }

    private var verdict: PhoneExit {
        if isOperator, commandFailed, !reporter.wantsPrompt { return .noCall }
        return isForOneCall && !hasTalked ? .noCall : .ended
    }

    /// Hangs up the calls before the phone exits, so that their ends are reported; false while they have not ended.
    private func hasEndedCalls() -> Bool {
        if calls.isEmpty || isConnectionLost || exit == .noHub || isOperator { return true }
        guard !isHangingUp else { return false }
        isHangingUp = true
        reporter.wantsPrompt = false
        let actions = calls.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        ask { client in try await client.request(actions) }
        later(hangUpTimeout, .hangUpTimedOut)
        return false
    }

    private func leave() async -> PhoneExit {
        await client.close()
        do {
            reportReceivedAudio(try audio.finish())
        } catch {
            reporter.failure(error.description)
            soundFailed = true
        }
        let exit = exit ?? .ended
        let final = exit == .ended && soundFailed ? .sound : exit
        reporter.wantsPrompt = false
        reporter.report(PhoneEvent(event: "ended", exit: final.rawValue))
        return final
    }

    // MARK: Time

    /// Begins the time after which a phone without a connected call exits.
    ///
    /// For a call of the command line it begins when the hub has the call.
    func waitForCalls() {
        if let seconds = settings.seconds { later(seconds, .waitedLongEnough) }
    }

    /// Delays the lines that follow.
    func wait(seconds: Double) {
        isWaiting = true
        later(seconds, .waited)
    }

    func performLines() {
        while mayPerform, let line = lines.first {
            lines.removeFirst()
            typed(line)
        }
    }

    /// Indicates that the next line need not wait.
    ///
    /// In an operator's script it waits for the answer to the last one, and for its effect.
    private var mayPerform: Bool {
        !isWaiting && exit == nil && awaitedEffect == nil && !(isScript && openRequests > 0)
    }

    /// Indicates that an operator's commands come from no terminal.
    var isScript: Bool { isOperator && !reporter.wantsPrompt }

    /// Posts an input after a delay in seconds.
    func later(_ seconds: Double, _ input: PhoneInput) {
        let post = post
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            post.yield(input)
        }
    }
}

/// The time that the phone stays connected after a played file, in seconds, to receive audio in flight.
///
/// Longer: more of an answer is recorded; shorter: scripts go on sooner.
private let tailAfterPlaying = 1.0

/// The time to wait for the calls that are hung up at exit to end, in seconds.
///
/// Longer: a slow hub can still report their ends; shorter: the program ends sooner.
private let hangUpTimeout = 1.0
