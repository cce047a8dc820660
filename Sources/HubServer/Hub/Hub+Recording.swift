import HubEngine
import HubWire

/// What whoever records an account is told: what its other devices are told (docs/protocol.md, `record.told`).
extension Hub {
    /// Something happens from outside: whatever comes of it has a number of its own.
    func noteCause() {
        if !isApplying { cause &+= 1 }
    }

    /// Passes on what a device was told, or what happened to its session.
    func relate(_ content: RecordedNews.Content, of session: ClientSession) {
        guard sessions.recorders > 0, session.isRecorded else { return }
        let recorders = sessions.of(session.account).filter { $0.permissions.contains(.record) }
        guard !recorders.isEmpty else { return }
        let news = news(content, of: session)
        for recorder in recorders { tell(recorder, .recorded(news)) }
    }

    /// A session that is new: a recorder is told who is there, the others' recorders that one has come.
    func relateArrival(of session: ClientSession) {
        guard session.isRecorder else { return relate(.session(.opened), of: session) }
        for other in sessions.of(session.account) where other.isRecorded {
            tell(session, .recorded(news(.session(.opened), of: other)))
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
            event: cause,
            conversation: conversation?.recordedText,
            content: content
        )
    }
}
