/// The adaptation of the delay to the target.
extension JitterBuffer {
    /// Shortens or lengthens the next audio if the delay is too far from the target; otherwise changes nothing.
    ///
    /// The delay is that of the next sample behind the fastest packet. It is constant as long as nothing is cut or
    /// inserted, so that no filter is needed.
    func adapt(at time: Int64) {
        let media = AudioFormat.nanoseconds(ofSamples: next - Int64(audio.count))
        let delay = estimator.delay(ofMedia: media, playedAt: time)
        statistics.delayMilliseconds = Double(delay) / 1e6
        stretchPause = max(0, stretchPause - 1)
        let excess = AudioFormat.samples(inNanoseconds: delay - estimator.targetNanoseconds)
        if excess > Self.dropThreshold, dropOldest(toward: next - Int64(audio.count) + excess) { return }
        if excess > settings.upperTolerance { isCatchingUp = true }
        if isCatchingUp {
            cut(Int(clamping: excess))
        } else if excess < -Self.lowerTolerance, stretchPause == 0 {
            stretch(Int(clamping: -excess))
        }
    }

    /// Drops packets that are too old to be caught up with; `false` if there is nothing newer.
    private func dropOldest(toward media: Int64) -> Bool {
        var count = 0
        while queue.entries.count > 1, let first = queue.first, first.end <= media {
            _ = queue.removeFirst()
            count += 1
        }
        guard count > 0, let first = queue.first else { return false }
        statistics.dropped += count
        tail = Array(audio.prefix(Self.fadeIn))
        audio.removeAll(keepingCapacity: true)
        // The sequence number is reset: dropped packets are not a loss. The new beginning fades in.
        next = first.start
        lastSequence = nil
        concealedRun = Self.maximumConcealment
        isCatchingUp = false
        return true
    }

    private func cut(_ excess: Int) {
        let newest = queue.last?.end ?? next
        let depth = Int(clamping: newest - next) + audio.count
        // A buffer that is nearly empty has nothing to cut: the delay is then the sender's, not the buffer's.
        let reserved = AudioFormat.samplesPerFrame + settings.reserve
        var budget = min(excess, depth - reserved, AudioFormat.samplesPerFrame)
        let isFast = excess > Self.fastExcess
        decode(atLeast: AudioFormat.samplesPerFrame + TimeScaler.block + (isFast ? AudioFormat.samplesPerFrame : 0))
        var place = 0
        while let period = TimeScaler.period(in: audio, at: place) {
            guard period.correlation > Self.minimumCorrelation || isFast else { return }
            guard period.samples <= budget else {
                if excess < settings.upperTolerance { isCatchingUp = false }
                return
            }
            TimeScaler.cut(&audio, at: place, period: period.samples)
            statistics.cutSamples += period.samples
            budget -= period.samples
            place += period.samples
            if !isFast { return }
        }
    }

    private func stretch(_ shortfall: Int) {
        decode(atLeast: TimeScaler.block)
        guard let period = TimeScaler.period(in: audio, at: 0), period.samples <= shortfall,
            period.correlation > Self.minimumCorrelation
        else { return }
        TimeScaler.stretch(&audio, at: 0, period: period.samples)
        statistics.stretchedSamples += period.samples
        stretchPause = Self.framesBetweenStretches
    }

    /// Up to 15 ms below the target nothing is done.
    private static let lowerTolerance: Int64 = 720
    /// With more than 80 ms above the target, several periods are cut at once, up to twice the normal speed.
    private static let fastExcess = 3_840
    /// With more than 600 ms above the target, packets are dropped.
    private static let dropThreshold: Int64 = 28_800
    /// The least correlation at which a period is cut or repeated; lower: clicks.
    private static let minimumCorrelation = 0.8
    /// At most one period in 100 ms is inserted: about 10 % slower.
    private static let framesBetweenStretches = 5
}
