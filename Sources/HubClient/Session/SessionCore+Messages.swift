import HubEngine
import HubWire

// Sends requests, and handles responses and notifications.
extension SessionCore {
    mutating func sendRequest(_ request: ClientRequest, token: UInt64, into effects: inout [SessionEffect]) {
        guard let live else {
            effects.append(.answer(token: token, .failure(.notConnected)))
            return
        }
        lastRequestNumber += 1
        var open = Pending(
            number: lastRequestNumber,
            method: request.method,
            token: token,
            deadline: now + timing.responseTimeout
        )
        if case .refresh(let newer) = request { open.newerToken = newer }
        pending.append(open)
        effects.append(.send(live.socket, encode(request, number: lastRequestNumber)))
    }

    /// Sends `session.close` and waits for the response, so that the calls end for the other parties at once.
    mutating func close(into effects: inout [SessionEffect]) {
        guard closeDeadline == nil else { return }
        guard let live else { return finish(.closed, into: &effects) }
        closeDeadline = now + closeTimeout
        lastRequestNumber += 1
        effects.append(.send(live.socket, encode(.close, number: lastRequestNumber)))
    }

    mutating func received(_ text: [UInt8], on socket: Int, into effects: inout [SessionEffect]) {
        if socket == attempt?.socket {
            guard let message = decode(text) else { return handleUnparsableMessage(text, into: &effects) }
            guard case .reply(let id, let result) = message, id == attempt?.openRequest.map({ RequestID($0) }) else {
                return
            }
            return handleOpenResponse(result, into: &effects)
        }
        guard socket == live?.socket else { return }
        receivedData(socket, into: &effects)
        switch decode(text) {
        case .reply(let id, let result): receivedResponse(id, result, text: text, into: &effects)
        case .notification(let seq, let notification): handleNotification(notification, seq: seq, into: &effects)
        case nil: handleUnparsableMessage(text, into: &effects)
        }
    }

    private mutating func receivedResponse(
        _ id: RequestID,
        _ result: Result<ReplyPayload, WireError>,
        text: [UInt8],
        into effects: inout [SessionEffect]
    ) {
        if let index = pending.firstIndex(where: { RequestID($0.number) == id }) {
            let request = pending.remove(at: index)
            if let newer = request.newerToken, case .success(.refreshed(let expiresAt)) = result {
                signIn.token = newer
                opened?.expiresAt = expiresAt
                effects.append(.event(.refreshed(expiresAt: expiresAt)))
            }
            effects.append(.answer(token: request.token, result.mapError { .refused($0) }))
        } else if closeDeadline != nil, id == RequestID(lastRequestNumber) {
            if case .failure = result, let live {
                // For example, too many messages: only a close frame ends the session then, and it must be sent first.
                effects.append(.closeSocket(live.socket))
            } else {
                finish(.closed, into: &effects)
            }
        } else {
            handleUnparsableMessage(text, into: &effects)
        }
    }

    private mutating func handleNotification(
        _ notification: WireNotification,
        seq: UInt64,
        into effects: inout [SessionEffect]
    ) {
        // After a resume the hub may repeat notifications that were in transit when the connection broke.
        guard seq > lastSeq else { return }
        // Caused by the client's own second socket; there the number is used again, for another notification.
        if case .closing(.replaced, _, _) = notification, attempt?.openRequest != nil { return }
        if seq != lastSeq + 1 {
            effects.append(.event(.missedNotifications(expected: lastSeq + 1, received: seq)))
        }
        lastSeq = seq
        switch notification {
        case .callChanged(let call):
            if let index = calls.firstIndex(where: { $0.uuid == call.uuid }) {
                calls[index] = call
            } else {
                calls.append(call)
            }
            if call.hasEnded { calls.removeAll { $0.uuid == call.uuid } }
        case .didActivateAudioSession(let session):
            audioSession = session
        case .didDeactivateAudioSession(let id, _):
            if audioSession?.id == id { audioSession = nil }
        case .didReset:
            calls = []
            audioSession = nil
        case .closing(let reason, let retryAfterSeconds, let url):
            live?.closing = (reason, retryAfterSeconds.map { now + .seconds(max(0, min($0, 3_600))) })
            if let url { storeRedirect(url) }
        case .didBegin, .execute, .perform, .timedOutPerforming, .observed, .dtmf, .audioSources,
            .packetsDropped, .recorded, .changed, .directoryReloadRequested, .peopleChanged, .providersChanged,
            .unknown:
            break
        }
        effects.append(.event(.notification(notification)))
    }

    private func handleUnparsableMessage(_ text: [UInt8], into effects: inout [SessionEffect]) {
        effects.append(.event(.unexpectedMessage(String(decoding: text.prefix(1_000), as: UTF8.self))))
    }
}

/// The time for the hub to respond to `session.close`.
///
/// Longer: a slow hub still receives it; shorter: a program ends sooner if the hub is gone.
private let closeTimeout = Duration.seconds(1)

/// Encodes a request as JSON.
func encode(_ request: ClientRequest, number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    request.encode(id: RequestID(number), into: &bytes)
    return bytes
}

private func decode(_ text: [UInt8]) -> HubMessage? { try? HubMessage(parsing: text) }
