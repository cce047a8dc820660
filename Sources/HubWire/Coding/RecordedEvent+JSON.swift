import HubEngine

extension RecordedEvent {
    /// Writes the parameters of `record.told` that follow `seq`.
    func writeMembers(to writer: inout JSONWriter) {
        writer.object("device") { writer in
            writer.member("id", deviceID)
            writer.member("name", deviceName) { $0.value($1) }
        }
        writer.member("at", at)
        writer.member("event", event)
        writer.optional("conversation", conversation) { $0.value($1) }
        writer.member("method", method)
        writer.object("params") { writer in
            if case .notified(let notification) = content { notification.writeParams(to: &writer) }
        }
    }

    init(_ members: JSONMembers) throws(JSONMemberError) {
        let device = try members.object("device", "be an object")
        let method = try members.text("method")
        let content: Content
        if let event = SessionChange(rawValue: method) {
            content = .session(event)
        } else if method == NotificationMethod.recordTold.rawValue {
            // A hub never records a recorder's own notifications; decoding them could nest without end.
            content = .notified(.unknown(method: method))
        } else {
            content = .notified(try WireNotification(method: method, try members.object("params", "be an object")))
        }
        self.init(
            deviceID: try device.text("id"),
            deviceName: try device.optionalText("name"),
            at: try members.date("at"),
            event: try members.required("event", "be a whole number of 0 or more"),
            conversation: try members.optionalText("conversation"),
            content: content
        )
    }
}
