import HubEngine
import HubWire

/// What the hub remembers: asked by clients, asked and told by the engine.
extension Hub {
    /// Answers a client, and keeps the account's other devices in step.
    func answer(_ request: MemoryRequest, of session: ClientSession) {
        let asker = MemoryAsker(account: session.account, device: session.device.id ?? "", session: session.id)
        do throws(MemoryRefusal) {
            let answer = try memory.handle(request, from: asker, at: clock.now) { WallClock.time(in: $0) }
            reply(.success(ReplyPayload(answer.reply)))
            if let topic = answer.changed { tellDevices(of: session.account, but: session, that: topic) }
        } catch {
            refuse(WireError(error))
        }
        arm()
    }

    /// What the engine wants to know before a call is placed.
    func lookUp(_ lookUp: LookUp) -> LookUpResult {
        memory.answer(lookUp, target: directory.lookUp(lookUp.handle)) { WallClock.time(in: $0) }
    }

    /// What the engine wants to know before a call from outside rings.
    func knowledge(of caller: Handle, by account: String) -> CallerKnowledge {
        memory.knowledge(of: caller, by: account) { WallClock.time(in: $0) }
    }

    /// Keeps an entry of Recents, and tells all of the account's devices.
    func remember(_ call: RecentCall, of account: String) {
        memory.remember(call, of: account)
        tellDevices(of: account, that: .recents)
    }

    private func tellDevices(of account: String, but asker: ClientSession? = nil, that topic: MemoryTopic) {
        for session in sessions.of(account) where session !== asker { tell(session, .changed(topic)) }
    }
}
