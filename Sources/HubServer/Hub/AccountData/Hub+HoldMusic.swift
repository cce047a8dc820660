import HubEngine
import HubMedia

/// The music of accounts for parties on hold (rule CH-09).
extension Hub {
    /// Applies a session's route to the relays, and has the music read that begins by it.
    func applyRoute(of session: SessionID) {
        let route = engine.audioRoute(of: session)
        guard routes?.setRoute(route, of: session, at: clock.now) == true, let hold = route.holdSource else { return }
        accountData.readHoldMusic(of: hold.account, unless: holdMusic.ids(of: hold.account)) {
            [thread = transport?.thread] result in
            let stored = try? result.get()
            // On the store's thread: copying megabytes would delay audio.
            let audio = stored?.tracks.flatMap { PreEncodedAudio(tracks: $0) }
            thread?.run { hub in
                let music = stored.flatMap { hub.holdMusic.take($0, audio, of: hold.account) }
                hub.routes?.setHoldMusic(music, ssrc: hold.ssrc, of: session, at: hub.clock.now)
            }
        }
    }
}
