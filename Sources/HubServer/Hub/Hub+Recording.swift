import HubEngine
import HubWire

/// Copies of the notifications to an account's devices, for sessions that record it (docs/protocol.md, `record.told`).
extension Hub {
    /// Forwards a notification to a device, or a change of its session, to the account's recorders.
    ///
    /// - Parameters:
    ///   - content: The notification or the change.
    ///   - session: The session of the device.
    ///   - causer: The session that is charged; nil: none.
    func relate(_ content: RecordedNews.Content, of session: ClientSession, causedBy causer: ClientSession?) {
        guard sessions.recorders > 0, session.isRecorded else { return }
        let recorders = sessions.of(session.account).filter { $0.permissions.contains(.record) }
        guard !recorders.isEmpty else { return }
        let news = news(content, of: session)
        for recorder in recorders { tell(recorder, .recorded(news), causedBy: causer) }
    }

    /// Reports a new session: a new recorder receives the sessions of the account, other recorders that one has opened.
    func relateArrival(of session: ClientSession) {
        guard session.isRecorder else { return relate(.session(.opened), of: session, causedBy: session) }
        for other in sessions.of(session.account) where other.isRecorded {
            tell(session, .recorded(news(.session(.opened), of: other)), causedBy: session)
        }
    }

    private func news(_ content: RecordedNews.Content, of session: ClientSession) -> RecordedNews {
        var conversation: ConversationID?
        if case .told(.callChanged(let call)) = content {
            conversation = engine.conversation(of: call.uuid, on: session.id)
        }
        return RecordedNews(
            deviceID: session.device.id ?? "",
            deviceName: session.device.name,
            at: clock.now,
            event: events.cause,
            conversation: conversation?.recordedText,
            content: content
        )
    }
}
