import HubEngine

extension WireNotification {
    /// Appends the notification's JSON to `bytes`, with its sequence number in the session.
    public func encode(seq: UInt64, into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes) { writer in
            writer.object { message in
                message.member("jsonrpc", keyword: "2.0")
                message.member("method", method)
                message.object("params") { params in
                    params.member("seq", seq)
                    writeParams(to: &params)
                }
            }
        }
    }

    func writeParams(to params: inout JSONWriter) {
        switch self {
        case .didBegin(let configuration):
            params.key("configuration")
            params.value(configuration)
        case .didReset, .changed, .providersChanged, .unknown:
            break
        case .execute(let transaction, let actions):
            params.member("transaction", transaction)
            params.array("actions", actions) { $0.value($1) }
        case .perform(let transaction, let action, let deadline, let origin, let fulfilled):
            params.member("transaction", transaction)
            params.key("action")
            params.value(action)
            params.member("deadline", deadline)
            params.member("origin", origin)
            params.member("fulfilled", fulfilled)
        case .timedOutPerforming(let action):
            params.key("action")
            params.value(action)
        case .didActivateAudioSession(let session):
            params.object("audioSession") { writer in
                writer.member("id", session.id)
                writer.member("ssrc", session.ssrc)
                writer.array("calls", session.calls) { $0.value($1) }
                writer.member("group", session.group) { $0.value($1) }
            }
        case .didDeactivateAudioSession(let id, let calls):
            params.object("audioSession") { writer in
                writer.member("id", id)
                writer.array("calls", calls) { $0.value($1) }
            }
        case .callChanged(let call):
            params.key("call")
            call.write(to: &params)
        case .observed(let call):
            call.writeMembers(to: &params)
        case .dtmf(let call, let digits, let type):
            params.member("callUUID", call)
            params.member("digits", digits)
            params.member("dtmfType", type)
        case .audioSources(let sources):
            params.array("sources", sources) { writer, source in
                writer.object { writer in
                    writer.member("ssrc", source.ssrc)
                    writer.member("callUUID", source.callUUID)
                    writer.key("handle")
                    writer.value(source.handle)
                    writer.member("name", source.name)
                    if source.isHoldAudio { writer.member("isHoldAudio", true) }
                }
            }
        case .packetsDropped(let dropped):
            dropped.writeMembers(to: &params)
        case .recorded(let event):
            event.writeMembers(to: &params)
        case .directoryReloadRequested(let identifier):
            params.member("extension", identifier)
        case .peopleChanged(let people):
            params.array("people", people) { writer, person in writer.object { person.writeMembers(to: &$0) } }
        case .closing(let reason, let retryAfterSeconds, let url):
            params.member("reason", reason.rawValue)
            params.optional("retryAfterSeconds", retryAfterSeconds) { $0.value($1) }
            params.optional("url", url) { $0.value($1) }
        }
    }
}
