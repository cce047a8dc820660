import CALSA
import HubMedia

/// An open device of ALSA: 48 kHz, mono, 16 bits, without waiting.
final class ALSADevice {
    /// The directions of a device.
    enum Direction {
        case capture
        case playback
    }

    /// The length of the buffer in samples.
    let bufferLength: Int
    private let name: String
    private let handle: OpaquePointer

    /// Opens a device and prepares it; it does not run yet.
    ///
    /// - Parameters:
    ///   - name: The name, such as `default` or `plughw:0`.
    ///   - direction: The direction.
    /// - Throws: `MediaError` naming the device.
    init(_ name: String, _ direction: Direction) throws(MediaError) {
        hub_alsa_be_quiet()
        var opened: OpaquePointer?
        let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        let result = snd_pcm_open(&opened, name, stream, CInt(SND_PCM_NONBLOCK))
        guard result == 0, let opened else { throw Self.error("the ALSA device \(name) cannot be opened", result) }
        let set = snd_pcm_set_params(
            opened,
            SND_PCM_FORMAT_S16_LE,
            SND_PCM_ACCESS_RW_INTERLEAVED,
            1,
            CUnsignedInt(AudioFormat.samplesPerSecond),
            1,
            Self.bufferMicroseconds
        )
        guard set == 0 else {
            snd_pcm_close(opened)
            let sentence = "the ALSA device \(name) does not take 48 kHz, 16 bits, mono (plughw: converts)"
            throw Self.error(sentence, set)
        }
        var (buffer, period): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
        snd_pcm_get_params(opened, &buffer, &period)
        (handle, self.name, bufferLength) = (opened, name, Int(buffer))
    }

    deinit { snd_pcm_close(handle) }

    /// The number of samples that can be read or written now; recovers from an overrun or underrun.
    ///
    /// - Returns: The number; nil: the device was stopped, and must be started.
    /// - Throws: `MediaError` if the device is gone.
    func available() throws(MediaError) -> Int? {
        guard snd_pcm_state(handle) == SND_PCM_STATE_RUNNING else { return nil }
        let count = snd_pcm_avail_update(handle)
        if count >= 0 { return Int(count) }
        try recover(CInt(count))
        return nil
    }

    /// Has the device run.
    func start() throws(MediaError) {
        let result = snd_pcm_start(handle)
        // A device without a clock of its own is running already.
        if result < 0, snd_pcm_state(handle) != SND_PCM_STATE_RUNNING { try recover(result) }
    }

    /// Reads up to a number of samples; fewer if there are no more.
    func read(upTo count: Int) throws(MediaError) -> [Int16] {
        var samples = [Int16](repeating: 0, count: count)
        let result = samples.withUnsafeMutableBytes { snd_pcm_readi(handle, $0.baseAddress, snd_pcm_uframes_t(count)) }
        guard result >= 0 else {
            if result != -Int(EAGAIN) { try recover(CInt(result)) }
            return []
        }
        samples.removeLast(count - Int(result))
        return samples
    }

    /// Writes samples; those for which there is no room are dropped.
    func write(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        let result = snd_pcm_writei(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count))
        if result < 0, result != -Int(EAGAIN) { try recover(CInt(result)) }
    }

    /// Plays what is in the buffer, and waits for that.
    func drain() {
        guard snd_pcm_state(handle) == SND_PCM_STATE_RUNNING else { return }
        snd_pcm_nonblock(handle, 0)
        snd_pcm_drain(handle)
    }

    private func recover(_ result: CInt) throws(MediaError) {
        let recovered = snd_pcm_recover(handle, result, 1)
        guard recovered == 0 else { throw Self.error("the ALSA device \(name) has failed", recovered) }
    }

    private static func error(_ sentence: String, _ result: CInt) -> MediaError {
        MediaError(.inputOutput, "\(sentence): \(String(cString: snd_strerror(result)))")
    }

    /// More: longer stalls of the machine are not heard; the sound is older.
    private static let bufferMicroseconds: CUnsignedInt = 120_000
}

/// A source that is a microphone of ALSA.
final class ALSASource: AudioFrameSource {
    private let device: ALSADevice
    private var waiting: [Int16] = []

    init(_ name: String) throws(MediaError) {
        device = try ALSADevice(name, .capture)
        try device.start()
    }

    /// Returns the next 20 ms, or silence if they are not there yet.
    func nextFrame() throws(MediaError) -> AudioFrame? {
        let length = AudioFormat.samplesPerFrame
        if try device.available() == nil { try device.start() }
        waiting += try device.read(upTo: length - waiting.count)
        guard waiting.count == length else { return .samples([Int16](repeating: 0, count: length)) }
        defer { waiting.removeAll(keepingCapacity: true) }
        return .samples(waiting)
    }
}

/// A sink that is a speaker of ALSA.
final class ALSASink: AudioFrameSink {
    private let device: ALSADevice

    init(_ name: String) throws(MediaError) {
        device = try ALSADevice(name, .playback)
    }

    var storesPackets: Bool { false }

    func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        guard let room = try device.available() else {
            // The start, or the sound has run dry: it begins again behind some silence.
            let silence = [Int16](repeating: 0, count: Self.leadInSamples)
            let written = silence.withUnsafeBufferPointer { silence in
                Result { () throws(MediaError) in try device.write(silence) }
            }
            try written.get()
            try device.write(samples)
            return try device.start()
        }
        // The device is slower than the clock of the frames, or has caught up after a stall.
        guard device.bufferLength - room <= Self.maximumQueuedSamples else { return }
        try device.write(samples)
    }

    func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        throw MediaError(.invalidArgument, "a speaker plays samples; packets must be decoded first")
    }

    func close() throws(MediaError) { device.drain() }

    /// 40 ms; more: the machine may stall longer without a gap, and the sound is older.
    private static let leadInSamples = 2 * AudioFormat.samplesPerFrame
    /// 80 ms; more: the sound may be older; fewer: more of it is dropped.
    private static let maximumQueuedSamples = 4 * AudioFormat.samplesPerFrame
}
