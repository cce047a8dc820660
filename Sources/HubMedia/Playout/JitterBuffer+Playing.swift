/// Decoding, concealment, and the end of available audio.
extension JitterBuffer {
    /// Returns the samples to wait before the first packet is due; 960 if that is not within this frame.
    func samplesBeforeStart(at time: Int64) -> Int {
        guard let first = queue.first else { return AudioFormat.samplesPerFrame }
        let due =
            AudioFormat.nanoseconds(ofSamples: first.start)
            + estimator.baseNanoseconds + estimator.targetNanoseconds
        let wait = AudioFormat.samples(inNanoseconds: due - time)
        return Int(min(max(wait, 0), Int64(AudioFormat.samplesPerFrame)))
    }

    /// Starts to play at the first queued packet, which may follow a pause or a loss.
    func start() {
        guard let first = queue.first else { return }
        if state == .underrun {
            let pause = isPause(before: first) ? Int(clamping: first.start - next) : 0
            statistics.concealedSamples += max(0, underrunSamples - pause)
            if let lastSequence, first.sequence > lastSequence + 1 { statistics.gaps += 1 }
        }
        // A packet that was partly played before the audio ran out continues at the same place.
        next = state == .empty ? first.start : max(next, first.start)
        underrunSamples = 0
        isCatchingUp = false
        state = .playing
    }

    /// Fills the output with available audio, and then with concealment.
    func play(into output: UnsafeMutableBufferPointer<Int16>) -> Output {
        decode(atLeast: output.count)
        let ready = min(audio.count, output.count)
        copySamples(ready, into: output)
        guard ready < output.count else { return .audio }
        state = .underrun
        fillDuringUnderrun(UnsafeMutableBufferPointer(rebasing: output.dropFirst(ready)))
        return ready > 0 ? .audio : (isConcealing ? .concealment : .silence)
    }

    /// Fills the output while nothing can be played: silence before the stream, then concealment that fades to silence.
    func fillDuringUnderrun(_ output: UnsafeMutableBufferPointer<Int16>) {
        guard state == .underrun else {
            output.update(repeating: 0)
            return
        }
        underrunSamples += output.count
        // libopus conceals in steps of 2.5 ms; the rest of a step is played next, to avoid a phase jump.
        let missing = max(0, output.count - audio.count)
        conceal(isConcealing ? (missing + 119) / 120 * 120 : missing)
        copySamples(min(audio.count, output.count), into: output)
    }

    /// True if concealment is not silent yet.
    var isConcealing: Bool { isPausing || concealedRun < Self.maximumConcealment }

    /// Decodes packets until `count` samples are ready, or no packet can follow.
    func decode(atLeast count: Int) {
        while audio.count < count, let entry = queue.first {
            let gap = entry.start - next
            // A long gap is not played through: the packet is due at the time of its timestamp.
            guard gap <= Self.maximumGap else { return }
            if gap > 0 { fill(gap: Int(gap), before: entry) }
            _ = queue.removeFirst()
            guard entry.end > next else {
                statistics.late += 1
                continue
            }
            append(entry)
        }
    }

    private func append(_ entry: PacketQueue.Entry) {
        let wasSilent = concealedRun >= Self.maximumConcealment
        let skipped = Int(clamping: next - entry.start)
        let before = audio.count
        let decoded = scratch.withUnsafeMutableBufferPointer { scratch in
            entry.payload.withUnsafeBytes { payload in (try? decoder.decode(payload, into: scratch)) ?? 0 }
        }
        if decoded > skipped {
            audio.append(contentsOf: scratch[max(0, skipped)..<decoded])
            if wasSilent { fade(from: before, rising: true, over: hasBegun ? Self.fadeIn : settings.fadeIn) }
            hasBegun = true
            mixInTail(at: before)
        } else {
            // libopus refuses a packet whose headers are valid: its duration is concealed.
            statistics.malformed += 1
            conceal(entry.duration - skipped)
        }
        next = entry.end
        lastSequence = entry.sequence
        isPausing = entry.packet.isDiscontinuous
        if decoded > 0 { concealedRun = 0 }
    }

    /// Fills a gap of the timeline before a queued packet.
    private func fill(gap: Int, before entry: PacketQueue.Entry) {
        let isPause = isPause(before: entry)
        let hasCopy =
            !isPause
            && entry.payload.withUnsafeBytes { payload in
                entry.packet.hasErrorCorrection(in: payload.bindMemory(to: UInt8.self).span)
            }
        var rest = gap
        while rest > 0 {
            if hasCopy, rest <= entry.duration, rest % 120 == 0, recoverFromFEC(rest, from: entry) {
                statistics.correctedSamples += rest
                break
            }
            let chunk = min(rest, AudioFormat.samplesPerFrame)
            conceal(chunk)
            if !isPause { statistics.concealedSamples += chunk }
            rest -= chunk
        }
        if !isPause { statistics.gaps += 1 }
        next = entry.start
    }

    private func recoverFromFEC(_ count: Int, from entry: PacketQueue.Entry) -> Bool {
        let isDone = scratch.withUnsafeMutableBufferPointer { scratch in
            entry.payload.withUnsafeBytes { payload in
                let target = UnsafeMutableBufferPointer(rebasing: scratch.prefix(count))
                return (try? decoder.decodeLost(before: payload, into: target)) != nil
            }
        }
        if isDone { audio.append(contentsOf: scratch[0..<count]) }
        return isDone
    }

    /// Appends concealment that fades out after 100 ms; comfort noise if the sender has signalled a pause.
    private func conceal(_ count: Int) {
        var rest = max(0, count)
        while rest > 0 {
            let chunk = min(rest, AudioFormat.samplesPerFrame)
            let before = audio.count
            let isConcealment = isConcealing && appendConcealment((chunk + 119) / 120 * 120, keeping: chunk)
            if !isConcealment { audio.append(contentsOf: repeatElement(0, count: chunk)) }
            concealedRun += chunk
            if isConcealment, !isPausing, concealedRun >= Self.maximumConcealment { fade(from: before, rising: false) }
            rest -= chunk
        }
    }

    private func appendConcealment(_ count: Int, keeping kept: Int) -> Bool {
        let isDone = scratch.withUnsafeMutableBufferPointer { scratch in
            (try? decoder.conceal(into: UnsafeMutableBufferPointer(rebasing: scratch.prefix(count)))) != nil
        }
        if isDone { audio.append(contentsOf: scratch[0..<kept]) }
        return isDone
    }

    private func fade(from start: Int, rising: Bool, over samples: Int = .max) {
        let count = min(samples, audio.count - start)
        for index in 0..<max(0, count) {
            let weight = rising ? index : count - index
            audio[start + index] = Int16(Int(audio[start + index]) * weight / count)
        }
    }

    /// Fades out the audio that was cut off by dropped packets, mixed with the audio that follows.
    private func mixInTail(at start: Int) {
        for (index, sample) in tail.prefix(audio.count - start).enumerated() {
            let fading = Int(sample) * (tail.count - index) / tail.count
            audio[start + index] = Int16(clamping: Int(audio[start + index]) + fading)
        }
        tail.removeAll(keepingCapacity: true)
    }

    private func copySamples(_ count: Int, into output: UnsafeMutableBufferPointer<Int16>) {
        for index in 0..<count { output[index] = audio[index] }
        audio.removeFirst(count)
    }

    /// Indicates that the sender itself left the gap before a packet: no sequence number is missing.
    private func isPause(before entry: PacketQueue.Entry) -> Bool {
        lastSequence.map { entry.sequence == $0 + 1 } ?? true
    }

    /// 100 ms: longer concealment sounds like a drone.
    static let maximumConcealment = 4_800
    /// One second: longer gaps are waited for, shorter ones played through.
    private static let maximumGap: Int64 = 48_000
    /// 5 ms: enough to avoid a click.
    static let fadeIn = 240
}
