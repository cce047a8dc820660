public import HubWire

/// A client of a hub: signs in, makes and answers calls, sends and receives Opus packets, reconnects after losses.
///
/// Calls follow CallKit: a request is *accepted* when its method returns, and its results are received as events. Audio
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
/// All methods may be called from any thread. Deallocation ends the session like `close()`.
public final class HubClient: Sendable {
    /// The notifications of the hub and the changes of the connection, in order; buffered, for one consumer.
    ///
    /// Ends after `ClientEvent.ended`.
    public let events: AsyncStream<ClientEvent>

    private let loop: ClientLoop
    private let driver: LoopBoundBox<SessionDriver>
    let state: ClientState

    /// Connects to a hub and signs in.
    ///
    /// - Parameters:
    ///   - url: The address of the hub in one of the forms of `HubAddress`.
    ///   - account: The account to sign in as; nil if the token in the options contains it.
    ///   - options: The options of the sign-in, the connection and the audio.
    /// - Returns: A client that is signed in.
    /// - Throws: `HubClientError.invalidAddress` if `url` is not the address of a hub; `unreachable` if no connection
    ///   is established, without a second attempt; `signInRefused` if the hub rejects the account, password or token;
    ///   `refused` if it rejects the sign-in for another reason, such as overload; `malformedResponse` if its response
    ///   does not conform to the protocol; `unavailable` if the event loop does not work on this machine.
    public static func connect(
        to url: String,
        account: String?,
        options: ClientOptions = ClientOptions()
    ) async throws(HubClientError) -> HubClient {
        guard let address = HubAddress(url) else { throw .invalidAddress(url) }
        let box = LoopBoundBox<SessionDriver>()
        let state = ClientState(
            maximumUnreportedPackets: options.timing.maximumUnreportedPackets,
            seed: .random(in: .min ... .max)
        )
        let core = SessionCore(
            signIn: SessionOpenRequest(account: account, options: options),
            address: address.description,
            timing: options.timing,
            seed: .random(in: .min ... .max)
        )
        let (events, sink) = AsyncStream.makeStream(of: ClientEvent.self)
        let client = HubClient(events: events, loop: options.loop, driver: box, state: state)
        let result: Result<SessionOpenResult, HubClientError> = await withCheckedContinuation { opening in
            let isPosted = options.loop.post { loop in
                let driver = SessionDriver(
                    box: box,
                    loop: loop,
                    address: address,
                    core: core,
                    options: options,
                    state: state,
                    events: sink
                )
                driver.begin(opening)
            }
            if !isPosted {
                let reason = options.loop.failure ?? "its thread has ended."
                opening.resume(returning: .failure(.unavailable(reason: reason)))
            }
        }
        _ = try result.get()
        if let tokenProvider = options.tokenProvider {
            client.pollTokens(by: tokenProvider, every: options.timing.tokenCheckInterval)
        }
        return client
    }

    private init(
        events: AsyncStream<ClientEvent>,
        loop: ClientLoop,
        driver: LoopBoundBox<SessionDriver>,
        state: ClientState
    ) {
        self.events = events
        self.loop = loop
        self.driver = driver
        self.state = state
    }

    deinit {
        loop.post { [driver] in driver.value(on: $0)?.close(nil) }
    }

    /// The result of the last sign-in: the account's handles, the hub's limits.
    public var session: SessionOpenResult? { state.opened }

    /// The device's calls as of the last notification, oldest first.
    public var currentCalls: [CallSnapshot] { state.calls }

    /// Ends the session and this client's calls; returns when the hub has confirmed it, or after a second.
    public func close() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let isPosted = loop.post { [driver] loop in
                if let driver = driver.value(on: loop) { driver.close(done) } else { done.resume() }
            }
            if !isPosted { done.resume() }
        }
    }

    /// Sends a request to the hub and waits for the response.
    ///
    /// - Parameter request: Any request of the protocol; the methods for single ones are easier to read.
    /// - Returns: The payload of the hub's response.
    /// - Throws: `HubClientError.refused` with the hub's reason; `notConnected` if the connection is lost at present;
    ///   `connectionLost` or `noResponse` if the request may or may not have been carried out; `closed` or `endedByHub`
    ///   if the session is over; `malformedResponse` if a response does not conform to the protocol.
    public func send(_ request: ClientRequest) async throws(HubClientError) -> ReplyPayload {
        let result: Result<ReplyPayload, HubClientError> = await withCheckedContinuation { answer in
            let isPosted = loop.post { [driver] loop in
                guard let driver = driver.value(on: loop) else {
                    return answer.resume(returning: .failure(.closed))
                }
                driver.sendRequest(request, answer)
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
    /// The client assigns sequence numbers and timestamps of the RTP stream; the timestamp advances even if a packet is
    /// not sent, so that the receiver sees a gap and not a shift. The first packet after a gap starts a talk spurt.
    ///
    /// - Parameters:
    ///   - opus: One Opus packet of 10, 20, 40 or 60 ms, mono.
    ///   - samples: Its duration at 48 kHz: 960 for 20 ms.
    /// - Returns: `sent`, or the reason why the packet was not sent; the caller need not react.
    @discardableResult
    public func sendAudio(_ opus: [UInt8], durationInSamples samples: Int) -> AudioOutcome {
        let (outcome, bytes) = state.withSender { $0.packet(opus, durationInSamples: samples) }
        if outcome == .sent { sendRaw(bytes) }
        return outcome
    }

    /// Inserts silence: the next packet starts a talk spurt (DTX).
    ///
    /// - Parameter samples: The duration of the silence at 48 kHz.
    public func pauseAudio(durationInSamples samples: Int) {
        state.withSender { $0.pause(samples: samples) }
    }

    /// Sends bytes as a binary message, unchecked: for tests of a hub, and for RTCP.
    ///
    /// - Parameter packet: The payload of the message.
    public func sendRaw(_ packet: [UInt8]) {
        loop.post { [driver] in driver.value(on: $0)?.send(binary: packet) }
    }
}

// MARK: - For tests

extension HubClient {
    /// Sends a text message unchanged; the response is received as `ClientEvent.unexpectedMessage`.
    package func sendText(_ text: String) {
        loop.post { [driver] in driver.value(on: $0)?.send(text: Array(text.utf8)) }
    }

    /// Breaks the connection without a close frame, as a failing network would.
    package func breakConnection() {
        loop.post { [driver] in driver.value(on: $0)?.breakConnection() }
    }
}

extension SessionOpenRequest {
    fileprivate init(account: String?, options: ClientOptions) {
        self.init(account: account)
        password = options.password
        token = options.token
        guestName = options.guestName
        device = Device(id: options.deviceID, name: options.deviceName, focus: options.focus)
        operates = options.operatedDeviceID
        if let provider = options.provider { self.provider = provider }
        fulfillment = options.fulfillment
        executesTransactions = options.executesTransactions
        reportsDroppedPackets = options.reportsDroppedPackets
        permissions = options.permissions
        audioDelivery = options.audioDelivery
        client = Program(name: options.clientName, version: options.clientVersion)
    }
}
