/// A signed-in device and its provider (row CK-01: one provider per session).
struct Session {
    let opening: SessionOpening
    /// Nil after `provider.invalidate`, until it is configured anew.
    var provider: ProviderConfiguration?
    /// The device's calls in the order in which they came.
    var calls: [CallID] = []
    /// What is not yet complete, in the order of acceptance.
    var transactions: [Transaction] = []
    /// The activated audio session; its call has the focus.
    var audio: ActiveAudio?
    /// The SSRC of the last activation, which the next one must not have.
    var lastSSRC: UInt32 = 0
    /// What the relay was last told.
    var route = AudioRoute.closed
    /// What the client was last told that it hears.
    var sources: [AudioSource] = []

    init(_ opening: SessionOpening) {
        self.opening = opening
        provider = opening.provider
    }

    /// One activation of the audio session.
    struct ActiveAudio {
        var session: AudioSession
        var call: CallID
    }
}

/// What the engine keeps of an account: only while a device is signed in.
struct Account {
    /// In the order of signing in.
    var sessions: [SessionID] = []
    /// The conversations that ring on its devices: a device that comes now rings too.
    var ringing: [ConversationID] = []
}
