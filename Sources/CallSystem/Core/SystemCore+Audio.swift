import CallAudio
import HubEngine

// The audio session: at the hub, for the app's provider, and the frames of the device.
extension SystemCore {
    /// The active audio session.
    struct Activation {
        let session: AudioSession
        /// The provider that is notified of it; nil: none.
        var provider: ProviderID?
        /// Indicates that the provider's delegate has been told, so that frames may flow.
        var isAnnounced = false
    }

    /// Handles an activation by the hub: frames flow when the app's delegate has returned from its callback.
    func activate(_ session: AudioSession) {
        let provider = session.calls.lazy.compactMap { uuid in self.calls.first { $0.uuid == uuid } }.first?.provider
        let id = provider ?? providers.last?.id
        activation = Activation(session: session, provider: id)
        guard let id, let system, providers.contains(where: { $0.id == id && $0.hasDelegate }) else {
            return announced(session.id)
        }
        post(to: id) { client in
            client.didActivateAudio()
            system.post { $0.announced(session.id) }
        }
    }

    private func announced(_ session: AudioSessionUUID) {
        guard activation?.session.id == session else { return }
        activation?.isAnnounced = true
        updateAudio()
    }

    /// Handles a deactivation: the frames end before the app's delegate is notified.
    func deactivateAudio() {
        guard let activation else { return }
        self.activation = nil
        audio.endCall()
        if calls.isEmpty { audio.rewind() }
        if let id = activation.provider { post(to: id) { $0.didDeactivateAudio() } }
    }

    /// Adjusts the frames to the calls: those that the app carries have none of the hub's.
    func updateAudio() {
        if calls.isEmpty { audio.rewind() }
        guard activation?.isAnnounced == true else { return }
        // Without a hold a call that is connected has the device's audio: an activation covers all of them.
        let connected = calls.filter { $0.snapshot?.state == .connected && !$0.isExternal }
        let isCarried = calls.contains { call in
            activation?.session.calls.contains(call.uuid) == true && !call.isExternal
        }
        guard isCarried || !connected.isEmpty, let packets = backend.packetOutput else { return audio.endCall() }
        audio.beginCall(packets)
        let isMuted = !connected.isEmpty && connected.allSatisfy { $0.snapshot?.isMuted == true }
        audio.set(AudioLine(isOpen: !connected.isEmpty, isMuted: isMuted))
    }
}
