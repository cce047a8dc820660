import Foundation
import HubClient
import HubMedia

/// The phone itself: hears of events, typed lines, time and signals one after the other, and decides when it is done.
final class Phone {
    let options: PhoneOptions
    let client: HubClient
    let audio: PhoneAudio
    let reporter: PhoneReporter
    private let takesCommands: Bool
    private var post: AsyncStream<PhoneInput>.Continuation?

    /// The calls that live, oldest first, and what was last told of each.
    private(set) var calls: [WireCall] = []
    private var session: WireAudioSession?
    private var answering: Set<CallUUID> = []
    private var hasTalked = false
    private var isPlayed = false
    /// Whether the call that was asked for has been placed, or somebody's has been answered: its end is ours.
    private var hadCall = false
    private var linesEnded = false
    private var soundFailed = false
    private var isConnectionLost = false
    private var isHangingUp = false
    private var exit: PhoneExit?

    init(options: PhoneOptions, client: HubClient, audio: PhoneAudio, reporter: PhoneReporter, takesCommands: Bool) {
        self.options = options
        self.client = client
        self.audio = audio
        self.reporter = reporter
        self.takesCommands = takesCommands
    }

    /// Runs until the phone is done.
    func run(inputs: AsyncStream<PhoneInput>, post: AsyncStream<PhoneInput>.Continuation) async -> PhoneExit {
        self.post = post
        begin(post)
        for await input in inputs {
            handle(input)
            if exit == nil, isDone { exit = verdict }
            if exit != nil, hasSaidGoodbye() { break }
            reporter.prompt()
        }
        return await leave()
    }

    /// Before the phone ends its calls are hung up, so that their ends are told; false while they are not.
    private func hasSaidGoodbye() -> Bool {
        if calls.isEmpty || isConnectionLost || exit == .noHub { return true }
        guard !isHangingUp else { return false }
        isHangingUp = true
        reporter.wantsPrompt = false
        let actions = calls.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
        ask { client in try await client.request(actions) }
        later(timeForGoodbye, .goodbyeOver)
        return false
    }

    private func begin(_ post: AsyncStream<PhoneInput>.Continuation) {
        let events = client.events
        Task { for await event in events { post.yield(.event(event)) } }
        Signals.handle([SIGINT, SIGTERM]) { _ in post.yield(.signal) }
        audio.begin(client: client) { post.yield(.audio($0)) }
        if let session = client.session {
            let hub = "\(session.hub.name) \(session.hub.version)"
            reporter.tell(
                PhoneEvent(event: "signedIn", account: session.account, hub: options.hub, session: session.session),
                "Signed in as \(session.account) at \(options.hub) (\(hub)).",
                emphasis: .faint
            )
        }
        if takesCommands {
            reporter.wantsPrompt = Console.isTerminal(STDIN_FILENO)
            StandardInputLines.read(into: post)
        }
        if let handle = options.call { ask { client in try await client.start(handle) } }
        if let seconds = options.seconds { later(seconds, .waitedLongEnough) }
    }

    private func leave() async -> PhoneExit {
        await client.close()
        let exit = exit ?? .ended
        do {
            let heard = try audio.finish()
            if heard.packets > 0 {
                reporter.tell(
                    PhoneEvent(
                        event: "heard",
                        packets: heard.packets,
                        latePackets: heard.latePackets,
                        concealedMilliseconds: heard.concealedMilliseconds
                    )
                )
            }
        } catch {
            reporter.failure(error.description)
            soundFailed = true
        }
        let final = exit == .ended && soundFailed ? .sound : exit
        reporter.wantsPrompt = false
        reporter.tell(PhoneEvent(event: "ended", exit: final.rawValue))
        return final
    }

    // MARK: When it is done

    /// Nothing is left to do.
    private var isDone: Bool {
        guard calls.isEmpty else { return false }
        if options.call != nil || options.answers { return hadCall }
        return linesEnded && takesCommands
    }

    private var verdict: PhoneExit {
        let wanted = options.call != nil || options.answers
        return wanted && !hasTalked ? .noCall : .ended
    }

    // MARK: What happens

    private func handle(_ input: PhoneInput) {
        switch input {
        case .event(let event): handle(event)
        case .audio(.played):
            isPlayed = true
            reporter.tell(PhoneEvent(event: "played"), "The sound to be played is over.", emphasis: .faint)
            if options.seconds == nil, options.call != nil || options.answers { later(1, .tailPassed) }
        case .audio(.failed(let error)):
            soundFailed = true
            reporter.failure(error.description)
        case .line(let line):
            reporter.promptIsUsed()
            typed(line)
        case .linesEnded:
            linesEnded = true
            // Ctrl-D at a terminal is a wish to leave.
            if reporter.wantsPrompt { exit = .ended }
        case .answered(let error):
            if let error { asked(failed: error) }
        case .wayMeasured(let time):
            let milliseconds = Double(time.wholeNanoseconds / 1_000) / 1_000
            reporter.tell(PhoneEvent(event: "ping", milliseconds: milliseconds), "\(milliseconds) ms")
        case .signal, .talkedLongEnough, .tailPassed:
            // A second Ctrl-C does not wait.
            if exit != nil { calls = [] }
            exit = exit ?? verdict
        case .goodbyeOver:
            calls = []
        case .waitedLongEnough:
            if !hasTalked { exit = verdict }
        }
    }

    private func handle(_ event: ClientEvent) {
        switch event {
        case .notification(let notification): handle(notification)
        case .connectionLost(let reason):
            reporter.tell(
                PhoneEvent(event: "connectionLost", reason: reason),
                "The connection is lost (\(reason)); it is being taken up again."
            )
            isConnectionLost = true
            updateLine()
        case .resumed:
            let words = isConnectionLost ? "The connection is back" : "The connection had gone silent; this is a new one"
            reporter.tell(PhoneEvent(event: "resumed"), "\(words), and the calls go on.", emphasis: .good)
            isConnectionLost = false
            updateLine()
        case .reset(let snapshot):
            reporter.tell(PhoneEvent(event: "reset"), "The hub was started anew; the calls from before have ended.")
            isConnectionLost = false
            calls = snapshot
            session = nil
            hadCall = hadCall || options.call != nil
            updateLine()
        case .missedNotifications(let expected, let received):
            reporter.failure("The hub left out the notifications from \(expected) to before \(received).")
        case .unexpectedMessage(let text):
            reporter.failure("The hub sent something that is not understood: \(quoted(text)).")
        case .ended(let error):
            guard error != .closed else { return }
            reporter.failure(error.description)
            exit = .noHub
        }
    }

    private func handle(_ notification: WireNotification) {
        switch notification {
        case .callChanged(let call):
            changed(call)
        case .didActivateAudioSession(let session):
            self.session = session
            reporter.tell(PhoneEvent(event: "audio", isActive: true, ssrc: session.ssrc))
            updateLine()
        case .didDeactivateAudioSession(let id, _):
            if session?.id == id { session = nil }
            reporter.tell(PhoneEvent(event: "audio", isActive: false))
            updateLine()
        case .audioSources(let sources):
            let list = sources.map {
                PhoneEvent.Source(
                    ssrc: $0.ssrc,
                    call: $0.callUUID.uuidText,
                    handle: $0.handle.text,
                    name: $0.name
                )
            }
            reporter.tell(PhoneEvent(event: "sources", sources: list))
        case .dtmf(let call, let digits, _):
            reporter.tell(
                PhoneEvent(event: "dtmf", callUUID: call.uuidText, digits: digits),
                "The other side keyed \(quoted(digits))."
            )
        case .closing(let reason, _):
            reporter.tell(
                PhoneEvent(event: "closing", reason: reason.rawValue),
                "The hub will close the connection: \(reason.rawValue)."
            )
        case .didReset:
            calls = []
            session = nil
            updateLine()
        case .didBegin, .execute, .perform, .timedOutPerforming, .unknown:
            break
        }
    }

    private func changed(_ call: WireCall) {
        let before = calls.first { $0.uuid == call.uuid }
        calls.removeAll { $0.uuid == call.uuid && call.hasEnded }
        if let index = calls.firstIndex(where: { $0.uuid == call.uuid }) {
            calls[index] = call
        } else if !call.hasEnded {
            calls.append(call)
        }
        let words = call.sentence(since: before)
        reporter.tell(PhoneEvent(event: "call", call: PhoneCall(call)), words?.text, emphasis: words?.emphasis ?? .none)

        if call.hasConnected, !hasTalked {
            hasTalked = true
            if let seconds = options.seconds { later(seconds, .talkedLongEnough) }
        }
        if call.isOutgoing ? options.call != nil : call.hasConnected { hadCall = true }
        if call.state == .ringing, options.answers, answering.insert(call.uuid).inserted { answer(call) }
        updateLine()
    }

    /// Sound may flow where the session is active and one of its calls is connected.
    private func updateLine() {
        let heard = isConnectionLost ? [] : session?.calls ?? []
        let covered = calls.filter { heard.contains($0.uuid) && $0.state == .connected }
        audio.set(
            PhoneAudio.Line(isOpen: !covered.isEmpty, isMuted: !covered.isEmpty && covered.allSatisfy(\.isMuted))
        )
    }

    // MARK: Asking

    /// Answers as the hub offers it: holding the active call where that is possible.
    func answer(_ call: WireCall) {
        guard let choice = call.choices.first(where: { $0.name != .decline }) else {
            return ask { client in try await client.answer(call.uuid) }
        }
        ask { client in try await client.request(choice.actions) }
    }

    /// Asks the hub without waiting, so that events and further lines are heard meanwhile.
    func ask(_ request: @escaping @Sendable (HubClient) async throws -> Void) {
        let client = client
        let post = post
        Task {
            do {
                try await request(client)
                post?.yield(.answered(nil))
            } catch let error as HubClientError {
                post?.yield(.answered(error))
            }
        }
    }

    private func asked(failed error: HubClientError) {
        var code: Int?
        if case .refused(let refusal) = error { code = refusal.code.number }
        reporter.failure(error.description, code: code)
        if isHangingUp { calls = [] }
        // A call that could not even be placed is over.
        if options.call != nil, !hadCall { exit = .noCall }
    }

    /// Asks for a sign of life, and tells how long it took.
    func measureWay() {
        let client = client
        let post = post
        Task {
            do throws(HubClientError) {
                post?.yield(.wayMeasured(try await client.ping()))
            } catch {
                post?.yield(.answered(error))
            }
        }
    }

    /// Ends the phone, as wished.
    func quit() { exit = .ended }

    private func later(_ seconds: Double, _ input: PhoneInput) {
        let post = post
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            post?.yield(input)
        }
    }
}

/// How long to wait for the ends of the calls that are hung up at the end, in seconds.
///
/// Longer: a slow hub still gets its say; shorter: the program ends sooner.
private let timeForGoodbye = 1.0
