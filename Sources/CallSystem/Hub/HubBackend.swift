import CallAudio
import Dispatch
import Foundation
import HubClient
import HubEngine
import HubWire

/// The session of a call system at a hub over sockets.
///
/// Lost connections are resumed without an event; requests wait meanwhile. Confined to the queue.
final class HubBackend: CallBackend, @unchecked Sendable {
    private struct Waiting {
        let request: ClientRequest
        let reply: (Result<ReplyPayload, HubClientError>) -> Void
    }

    private let access: HubAccess
    private let queue: DispatchQueue
    private var client: HubClient?
    private var audio: DeviceAudio?
    private var receiveEvent: ((BackendEvent) -> Void)?
    /// Indicates that the session is open, and its connection is not lost.
    private var isConnected = false
    private var isOpening = false
    /// The number of the present loss of the connection.
    private var lossNumber = 0
    /// The error of requests while the connection has been lost for longer than they wait; nil: they wait.
    private var lossError: HubClientError?
    /// The number of the present client.
    private var clientNumber = 0
    /// The events of a client that has not yet been returned.
    private var earlyEvents: [ClientEvent] = []
    private var waiting: [Waiting] = []

    init(_ access: HubAccess, queue: DispatchQueue) {
        (self.access, self.queue) = (access, queue)
    }

    var now: Instant { Instant(Date()) }

    // MARK: The session

    func open(_ provider: ProviderConfiguration, offered isOffered: Bool, receive: @escaping (BackendEvent) -> Void) {
        receiveEvent = receive
        isOpening = true
        var options = ClientOptions()
        options.password = access.password
        options.token = access.token
        if access.tokenFile != nil { options.tokenProvider = { [access] in access.token } }
        options.deviceID = access.deviceID
        options.focus = access.machine
        options.provider = provider
        options.fulfillment = .manual
        options.executesTransactions = isOffered
        options.clientName = "CallSystem"
        clientNumber += 1
        earlyEvents = []
        let number = clientNumber
        options.onEvent = { event in self.queue.async { self.receive(event, of: number) } }
        if let audio, audio.output != .none {
            options.audioDelivery = .streams
            options.onAudio = { audio.received($0) }
            options.onAudioSources = { audio.setSources($0) }
        }
        Task { [self, access, options] in
            do throws(HubClientError) {
                let client = try await HubClient.connect(to: access.url, account: access.account, options: options)
                queue.async { self.opened(client) }
            } catch {
                queue.async { self.end(error) }
            }
        }
    }

    private func opened(_ client: HubClient) {
        (self.client, isConnected, isOpening) = (client, true, false)
        if let session = client.session { receiveEvent?(.opened(session)) }
        let events = earlyEvents
        earlyEvents = []
        for event in events { receive(event, of: clientNumber) }
        sendWaiting()
    }

    func close(_ then: @escaping @Sendable () -> Void) {
        let client = client
        end(.closed)
        Task {
            await client?.close()
            then()
        }
    }

    func breakConnection() {
        client?.breakConnection()
    }

    private func receive(_ event: ClientEvent, of number: Int) {
        guard number == clientNumber else { return }
        guard client != nil else {
            if isOpening { earlyEvents.append(event) }
            return
        }
        switch event {
        case .notification(let notification): receiveEvent?(.notification(notification))
        case .connectionLost(let reason): lost(reason)
        case .resumed:
            (isConnected, lossError) = (true, nil)
            sendWaiting()
        case .reset(let calls):
            (isConnected, lossError) = (true, nil)
            receiveEvent?(.reset)
            for call in calls { receiveEvent?(.notification(.callChanged(call))) }
            sendWaiting()
        case .ended(let error): end(error)
        case .refreshed, .missedNotifications, .unexpectedMessage: break
        }
    }

    private func end(_ error: HubClientError) {
        (client, isConnected, isOpening, lossError) = (nil, false, false, nil)
        fail(with: error)
        receiveEvent?(.ended(error))
    }

    private func fail(with error: HubClientError) {
        receiveEvent?(.requestsFail(error))
        let failed = waiting
        waiting = []
        for request in failed { request.reply(.failure(error)) }
    }

    /// Handles a loss of the connection.
    ///
    /// The client reconnects until the hub has given the session up, and requests wait for a time.
    private func lost(_ reason: String) {
        isConnected = false
        lossNumber += 1
        let loss = lossNumber
        schedule(after: access.requestTimeout) { [weak self] in
            guard let self, !self.isConnected, self.client != nil, self.lossNumber == loss else { return }
            let error = HubClientError.unreachable(address: self.access.url, reason: reason)
            self.lossError = error
            self.fail(with: error)
        }
        guard let grace = client?.session?.limits.resumeGraceSeconds else { return }
        schedule(after: .seconds(grace)) { [weak self] in
            guard let self, !self.isConnected, let client = self.client, self.lossNumber == loss else { return }
            self.end(.unreachable(address: self.access.url, reason: reason))
            // It must not resume calls that have ended here.
            Task { await client.close() }
        }
    }

    func schedule(after duration: Duration, _ work: @escaping () -> Void) {
        // Called on the queue alone.
        nonisolated(unsafe) let work = work
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(duration.wholeNanoseconds))) { work() }
    }

    // MARK: Sound

    func attach(_ audio: DeviceAudio) {
        self.audio = audio
    }

    var packetOutput: (any PacketOutput)? { client }

    func whenQuiet(_ work: @escaping () -> Void) {
        // Notifications that belong together arrive together.
        schedule(after: .milliseconds(100), work)
    }

    // MARK: Requests

    func send(_ request: ClientRequest, reply: @escaping (Result<ReplyPayload, HubClientError>) -> Void) {
        let request = Waiting(request: request, reply: reply)
        if isConnected, waiting.isEmpty, let client { return send(request, by: client) }
        waiting.append(request)
        queue.async { self.sendWaiting() }
    }

    private func sendWaiting() {
        guard isConnected, let client else {
            if !isOpening, client == nil { end(.closed) }
            if let lossError { fail(with: lossError) }
            return
        }
        let requests = waiting
        waiting = []
        for request in requests { send(request, by: client) }
    }

    private func send(_ waiting: Waiting, by client: HubClient) {
        // Called on the queue alone.
        nonisolated(unsafe) let waiting = waiting
        // Begins at once, so that requests go out in their order.
        Task.immediate { [self] in
            let result: Result<ReplyPayload, HubClientError>
            do throws(HubClientError) {
                result = .success(try await client.send(waiting.request))
            } catch {
                result = .failure(error)
            }
            queue.async { self.received(result, for: waiting, of: client) }
        }
    }

    private func received(
        _ result: Result<ReplyPayload, HubClientError>,
        for request: Waiting,
        of client: HubClient
    ) {
        switch result {
        case .failure(.notConnected), .failure(.connectionLost):
            // Sent again once the session is resumed: the hub takes the result of an action once.
            waiting.append(request)
            if client === self.client { sendWaiting() } else { end(.closed) }
        default: request.reply(result)
        }
    }
}
