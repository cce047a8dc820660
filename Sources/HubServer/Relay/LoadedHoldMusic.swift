import HubMedia

/// Music of an account in memory, for as long as somebody plays or caches it.
package final class LoadedHoldMusic: Sendable {
    /// The packets of all tracks, in turn.
    let audio: PreEncodedAudio
    private let budget: QueueBudget

    /// Takes the memory from a budget; nil: nothing is left.
    init?(_ audio: PreEncodedAudio, from budget: QueueBudget) {
        guard budget.view.reserve(audio.byteCount) else { return nil }
        self.audio = audio
        self.budget = budget
    }

    deinit { budget.view.release(audio.byteCount) }
}
