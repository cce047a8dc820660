import HubEngine
import HubMedia

/// The music of accounts for parties on hold: in memory while it is played, and some of it longer.
///
/// The store is asked at the beginning of each hold, so that added and removed tracks take effect at the next one.
struct HoldMusicCache {
    private struct Entry {
        var ids: [Int64]
        var music: LoadedHoldMusic
        var usedAt: UInt64
    }

    private var entries: [FoldedName: Entry] = [:]
    private var uses: UInt64 = 0
    private var byteCount = 0
    private let budget = QueueBudget(limit: Self.maximumBytes)

    /// Returns the identifiers of the tracks in memory, by which the store knows if they are the latest.
    func ids(of account: String) -> [Int64] { entries[FoldedName(account)]?.ids ?? [] }

    /// Takes what the store has answered, and discards the music that was used longest ago.
    ///
    /// - Parameters:
    ///   - stored: The answer.
    ///   - audio: Its tracks; nil: those that are in memory, or none.
    ///   - account: The account whose held parties receive it.
    /// - Returns: The music to be played; nil: the built-in, since there is none, or no memory for it.
    mutating func take(_ stored: StoredHoldMusic, _ audio: PreEncodedAudio?, of account: String) -> LoadedHoldMusic? {
        let key = FoldedName(account)
        uses &+= 1
        // Several holds that begin at once have each asked for it.
        if let known = entries[key]?.music, entries[key]?.ids == stored.ids {
            entries[key]?.usedAt = uses
            return known
        }
        remove(key)
        guard let audio else { return nil }
        while byteCount + audio.byteCount > Self.maximumCachedBytes,
            let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
        {
            remove(oldest)
        }
        guard let music = LoadedHoldMusic(audio, from: budget) else { return nil }
        entries[key] = Entry(ids: stored.ids, music: music, usedAt: uses)
        byteCount += audio.byteCount
        return music
    }

    /// Discards all music but what is being played, as of an account that was erased.
    mutating func removeAll() { (entries, byteCount) = ([:], 0) }

    private mutating func remove(_ key: FoldedName) {
        byteCount -= entries.removeValue(forKey: key)?.music.audio.byteCount ?? 0
    }

    /// The maximum memory of music that is played or cached.
    ///
    /// More: more users with much music can hold at the same time before some play the built-in music; more memory.
    private static let maximumBytes = 256_000_000

    /// The maximum memory of music for later holds.
    ///
    /// More: fewer reads of the database; more memory.
    private static let maximumCachedBytes = 64_000_000
}
