import HubEngine
import HubWire

/// Copies of the notifications to an account's devices, for sessions that record it (docs/protocol.md,
/// `record.told`).
extension Hub {
    /// Forwards a notification to a device, or a change of its session, to the account's recorders.
    ///
    /// - Parameters:
    ///   - content: The notification or the change.
    ///   - session: The session of the device.
    ///   - chargedSession: The session that is charged; nil: none.
    func forwardToRecorders(
        _ content: RecordedEvent.Content,
        of session: ClientSession,
        causedBy chargedSession: ClientSession?
    ) {
        guard sessions.recorders > 0, session.isRecorded else { return }
        let recorders = sessions.of(session.account).filter { $0.permissions.contains(.record) }
        guard !recorders.isEmpty else { return }
        let recordedEvent = recordedEvent(content, of: session)
        for recorder in recorders { notify(recorder, .recorded(recordedEvent), causedBy: chargedSession) }
    }

    /// Reports a new session to the account's recorders; a new recorder receives all open sessions instead.
    func forwardOpenedSession(of session: ClientSession) {
        guard session.isRecorder else { return forwardToRecorders(.session(.opened), of: session, causedBy: session) }
        for other in sessions.of(session.account) where other.isRecorded {
            notify(session, .recorded(recordedEvent(.session(.opened), of: other)), causedBy: session)
        }
    }

    private func recordedEvent(_ content: RecordedEvent.Content, of session: ClientSession) -> RecordedEvent {
        var conversation: ConversationID?
        if case .notified(.callChanged(let call)) = content {
            conversation = engine.conversation(of: call.uuid, on: session.id)
        }
        return RecordedEvent(
            deviceID: session.device.id ?? "",
            deviceName: session.device.name,
            at: clock.now,
            event: events.cause,
            conversation: conversation?.logText,
            content: content
        )
    }
}
