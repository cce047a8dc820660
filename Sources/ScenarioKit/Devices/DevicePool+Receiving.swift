import HubEngine
import HubWire

/// Messages that devices receive.
extension DevicePool {
    /// Processes a message that a device receives.
    func receive(_ message: ConnectionMessage, _ index: Int) {
        switch message {
        case .text(let bytes): receive(text: bytes, index)
        case .audio(let bytes): receive(audio: bytes, index)
        }
    }

    private func receive(audio bytes: [UInt8], _ index: Int) {
        guard bytes.count > 1, !RTPPacket.isRTCP(secondByte: bytes[1]),
            let packet = try? RTPPacket(parsing: bytes.span)
        else { return }
        let device = devices[index]
        for detection in device.toneDetector.detect(Array(bytes[packet.payloadRange]), ssrc: packet.ssrc, at: now) {
            // The user of an app hears what its device plays.
            if device.app == nil { device.receivedVoices.add(detection) }
            checkVoice(detection, index)
        }
    }

    private func receive(text bytes: [UInt8], _ index: Int) {
        let device = devices[index]
        switch Result(catching: { () throws(WireError) in try HubMessage(parsing: bytes) }) {
        case .failure(let fault):
            device.violation("messages to \(device.deviceReference) are JSON-RPC 2.0", fault.message, at: now)
        case .success(.reply(let id, let result)):
            guard case .number(let text) = id, let number = Int(text) else { return }
            note(result, index, bytes)
            device.take(result, to: number)
            if case .success(.opened(let opened)) = result { opened.calls.forEach { registerCall($0, index) } }
        case .success(.notification(let seq, let notification)):
            let before = device.calls
            device.take(notification, seq: seq, at: now)
            if case .callChanged(let call) = notification { registerCall(call, index, before: before[call.uuid]) }
            note(
                index,
                .notification,
                notification.method,
                description(for: notification),
                call(notification),
                bytes: bytes
            )
            reactAutomatically(notification, index)
        }
    }

    /// Performs the automatic reactions of a device to a notification.
    private func reactAutomatically(_ notification: WireNotification, _ index: Int) {
        let device = devices[index]
        switch notification {
        case .didActivateAudioSession(let session):
            device.setAudioSessionCalls(session.calls.compactMap { calls.name(of: $0) })
            checkOrder(of: session, index)
        case .perform(_, let action, _, _, false) where device.fulfillsEverything: fulfill(action, index)
        case .execute where device.fulfillsEverything:
            if let transaction = device.takeTransaction() {
                _ = sendRequest(index, .engine(.executed(transaction, handled: false)))
            }
        default: break
        }
    }

    /// Sends a device's fulfillment of an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - index: The index of the device.
    ///   - engine: The engine of a translation; nil: the device does not say.
    /// - Returns: The request's number.
    @discardableResult
    func fulfill(_ action: Action, _ index: Int, using engine: TranslationEngine? = nil) -> Int {
        devices[index].close(action.uuid)
        devices[index].noteFulfilled(action.uuid)
        return sendRequest(index, .engine(.fulfill(action.uuid, date: nil, using: engine)))
    }

    /// Finds the conversation of an incoming call that has none yet.
    private func registerRinging(_ call: CallSnapshot, _ index: Int) {
        guard !call.isOutgoing, let caller = party(of: call.remoteHandle) else { return }
        calls.rings(call.uuid, at: devices[index].party.name, from: caller) { uuid in
            devices.contains { $0.calls[uuid]?.hasEnded ?? false }
        }
    }

    /// Registers a call that a device is notified of: its conversation, and the time since which it is held.
    private func registerCall(_ call: CallSnapshot, _ index: Int, before: CallSnapshot? = nil) {
        let device = devices[index]
        registerRinging(call, index)
        if let before, call.wasTransferred(since: before) {
            let other = party(of: call.remoteHandle)
            calls.transferred(call.uuid, at: device.party.name, to: other, BuiltInParty(call.remoteHandle))
            // The new other party may have been notified first.
            for other in devices.indices where other != index {
                for ringing in devices[other].calls.values { registerRinging(ringing, other) }
            }
        }
        if before.map(isActive) ?? false, !isActive(call) { lastActive[call.uuid] = now }
        if before?.remoteIsOnHold ?? false, !call.remoteIsOnHold { lastHeldByRemote[call.uuid] = now }
        if let group = before?.group, group != call.group { lastGroup[call.uuid] = (group, now) }
        guard let name = calls.name(of: call.uuid) else { return }
        let isHeld = call.isOnHold && !call.hasEnded
        let open = device.record.held.lastIndex { $0.call == name && $0.end == nil }
        if isHeld, open == nil {
            device.record.held.append(HeldSpan(begin: now, call: name))
        } else if !isHeld, let open {
            device.record.held[open].end = now
        }
    }

    /// Returns the party of a handle; nil: it belongs to no party of the run.
    func party(of handle: Handle) -> String? {
        handle.type == .generic ? accounts.party(of: handle.value) : nil
    }

    /// Returns a text of the hub with the scenario's party names in place of account names.
    func withPartyNames(_ text: String) -> String {
        guard !accounts.suffix.isEmpty else { return text }
        return devices.reduce(text) { $0.replacing($1.account, with: $1.party.name) }
    }
}

/// Indicates that a call is connected and on hold at neither end.
func isActive(_ call: CallSnapshot) -> Bool {
    call.state == .connected && !call.isOnHold && !call.remoteIsOnHold
}
