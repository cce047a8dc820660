public import HubWire

/// A phone on a hub: signs in, places and answers calls, sends and hears Opus packets, survives lost connections.
///
/// Calls follow CallKit: a request is *accepted* when its method returns, and what becomes of it comes as events. Sound
/// flows between the notifications `didActivateAudioSession` and `didDeactivateAudioSession`. A phone in ten lines:
///
/// ```swift
/// import HubClient
///
/// let phone = try await HubClient.connect(to: "ws://localhost:8080/v1", account: "alice")
/// try await phone.start(.generic("echo"))
/// for await event in phone.events {
///     guard case .notification(let notification) = event else { continue }
///     switch notification {
///     case .didActivateAudioSession: phone.sendAudio(opusPacket, durationInSamples: 960)
///     case .callChanged(let call) where call.state == .ringing: try? await phone.answer(call.uuid)
///     case .callChanged(let call) where call.hasEnded: await phone.close()
///     default: break
///     }
/// }
/// ```
///
/// All methods may be called from any thread. A client that is let go of leaves the hub as by `close()`.
public final class HubClient: Sendable {
    /// What the hub tells, in order, and what happens to the connection; for one reader, kept until it is read.
    ///
    /// Ends after `ClientEvent.ended`.
    public let events: AsyncStream<ClientEvent>

    private let loop: ClientLoop
    private let number: UInt64
    let state: ClientState

    /// Connects to a hub and signs in.
    ///
    /// - Parameters:
    ///   - url: Where the hub is: see `HubAddress`.
    ///   - account: The name to sign in as; nil where the token in the options names it.
    ///   - options: How to sign in, and what to do with sound that arrives.
    /// - Returns: A client that is signed in.
    /// - Throws: `HubClientError` where the hub cannot be reached or does not let the client in; no second attempt is
    ///   made before the first connection.
    public static func connect(
        to url: String,
        account: String?,
        options: ClientOptions = ClientOptions()
    ) async throws(HubClientError) -> HubClient {
        guard let address = HubAddress(url) else { throw .invalidAddress(url) }
        let number = UInt64.random(in: .min ... .max)
        let state = ClientState(
            mostUnreportedPackets: options.timing.mostUnreportedPackets,
            seed: .random(in: .min ... .max)
        )
        let core = SessionCore(
            signIn: SessionOpen(account: account, options: options),
            address: address.description,
            timing: options.timing,
            seed: .random(in: .min ... .max)
        )
        let (events, sink) = AsyncStream.makeStream(of: ClientEvent.self)
        let client = HubClient(events: events, loop: options.loop, number: number, state: state)
        let result: Result<SessionOpened, HubClientError> = await withCheckedContinuation { opening in
            let isPosted = options.loop.post { loop in
                let driver = SessionDriver(
                    number: number,
                    loop: loop,
                    address: address,
                    core: core,
                    options: options,
                    state: state,
                    events: sink
                )
                loop.add(driver, client: number)
                driver.begin(opening)
            }
            if !isPosted {
                let reason = options.loop.failure ?? "its thread has ended."
                opening.resume(returning: .failure(.unavailable(reason: reason)))
            }
        }
        _ = try result.get()
        if let freshToken = options.freshToken {
            client.keepTokenFresh(by: freshToken, every: options.timing.looksForTokenAfter)
        }
        return client
    }

    private init(events: AsyncStream<ClientEvent>, loop: ClientLoop, number: UInt64, state: ClientState) {
        self.events = events
        self.loop = loop
        self.number = number
        self.state = state
    }

    deinit {
        let number = number
        loop.post { $0.client(number)?.leave(nil) }
    }

    /// What the hub said at the last sign-in: the account's handles, the hub's limits.
    public var session: SessionOpened? { state.opened }

    /// The device's calls as the last notification left them, oldest first.
    public var currentCalls: [CallSnapshot] { state.calls }

    /// Leaves the hub, which ends this client's calls; returns when the hub has heard it, or after a second.
    public func close() async {
        let number = number
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let isPosted = loop.post { loop in
                if let driver = loop.client(number) { driver.leave(done) } else { done.resume() }
            }
            if !isPosted { done.resume() }
        }
    }

    /// Asks the hub for something and waits for the answer.
    ///
    /// - Parameter request: Any request of the protocol; the methods for single ones are easier to read.
    /// - Returns: What the hub answered.
    /// - Throws: `HubClientError.refused` with the hub's reason, or why there was no answer.
    public func send(_ request: ClientRequest) async throws(HubClientError) -> ReplyPayload {
        let number = number
        let result: Result<ReplyPayload, HubClientError> = await withCheckedContinuation { answer in
            let isPosted = loop.post { loop in
                guard let driver = loop.client(number) else {
                    return answer.resume(returning: .failure(.closed))
                }
                driver.ask(request, answer)
            }
            if !isPosted { answer.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }
}

// MARK: - Audio

extension HubClient {
    /// Sends an Opus packet in the current audio session.
    ///
    /// Numbers and times of the RTP stream are the client's own; they go on where a packet is not sent, so that the
    /// other side hears a gap and not a shift. A talk spurt is marked after each gap.
    ///
    /// - Parameters:
    ///   - opus: One Opus packet of 10, 20, 40 or 60 ms, mono.
    ///   - samples: Its duration at 48 kHz: 960 for 20 ms.
    /// - Returns: Whether it was sent, or why not; nothing need be done about it.
    @discardableResult
    public func sendAudio(_ opus: [UInt8], durationInSamples samples: Int) -> AudioOutcome {
        let (outcome, bytes) = state.withSender { $0.packet(opus, durationInSamples: samples) }
        if outcome == .sent { sendRaw(bytes) }
        return outcome
    }

    /// Says nothing for a while: the next packet opens a talk spurt (DTX).
    ///
    /// - Parameter samples: The duration of the silence at 48 kHz.
    public func pauseAudio(durationInSamples samples: Int) {
        state.withSender { $0.pause(samples: samples) }
    }

    /// Sends bytes as a binary message, whatever they are: for tests of a hub, and for RTCP.
    ///
    /// - Parameter packet: The message.
    public func sendRaw(_ packet: [UInt8]) {
        let number = number
        loop.post { $0.client(number)?.send(binary: packet) }
    }
}

// MARK: - For tests

extension HubClient {
    /// Sends a text message as it is; the answer comes as `ClientEvent.unexpectedMessage`.
    package func sendText(_ text: String) {
        let number = number
        loop.post { $0.client(number)?.send(text: Array(text.utf8)) }
    }

    /// Loses the connection without a close frame, as a network would.
    package func breakConnection() {
        let number = number
        loop.post { $0.client(number)?.breakConnection() }
    }
}

extension SessionOpen {
    fileprivate init(account: String?, options: ClientOptions) {
        self.init(account: account)
        password = options.password
        token = options.token
        device = Device(id: options.deviceID, name: options.deviceName)
        if let provider = options.provider { self.provider = provider }
        fulfillment = options.fulfillment
        executesTransactions = options.executesTransactions
        reportsDroppedPackets = options.reportsDroppedPackets
        permissions = options.permissions
        audioDelivery = options.audioDelivery
        client = Program(name: options.clientName, version: options.clientVersion)
    }
}
