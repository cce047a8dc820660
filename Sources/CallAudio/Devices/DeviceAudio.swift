import Foundation
package import HubClient
package import HubMedia

/// The sound of a device: microphone and receiver of its calls, and the sounds that an app plays.
///
/// Frames of a call flow between `beginCall` and `endCall` and at no other time; without a call and a player nothing
/// runs. What has failed is reported once and left out from then on.
package final class DeviceAudio: @unchecked Sendable {
    /// The sides of a device's sound.
    package enum Side: Sendable {
        /// The microphone.
        case input
        /// The receiver or speaker.
        case output
    }

    /// The microphone.
    package let input: AudioInput
    /// The receiver or speaker.
    package let output: AudioOutput
    private let ticker: any FrameTicker
    private let report: @Sendable (MediaError, Side) -> Void
    private let inbox = CallAudioInbox()

    /// Held during a frame: none flows after `endCall` has returned.
    private let lock = NSLock()
    private var isTicking = false
    /// The destination of the call's packets; nil: no call is heard.
    private var packets: (any PacketOutput)?
    private var sender: CallAudioSender?
    private var source: (any AudioFrameSource)?
    private var receiver: CallAudioReceiver?
    private let callFrame = FrameSink()
    private var sink: (any AudioFrameSink)?
    private var hasOpenedInput = false
    private var hasOpenedOutput = false
    private var voices: [PlayerVoice] = []
    private var sum = [Int32](repeating: 0, count: AudioFormat.samplesPerFrame)
    private var frame = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)

    /// Creates the sound of a device; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - input: The microphone.
    ///   - output: The receiver or speaker.
    ///   - ticker: The clock of frames.
    ///   - report: The receiver of errors, with the side that has failed; called on any thread.
    package init(
        input: AudioInput,
        output: AudioOutput,
        ticker: any FrameTicker,
        _ report: @escaping @Sendable (MediaError, Side) -> Void
    ) {
        (self.input, self.output, self.ticker, self.report) = (input, output, ticker, report)
    }

    deinit {
        try? sink?.close()
    }

    /// Opens files and pipes, so that a wrong name is reported before there is a call.
    package func prepare() {
        lock.withLock {
            if !input.isShared { openInput() }
            if !output.isShared { openOutput() }
        }
    }

    /// Ends everything and completes the recording; nothing is opened again.
    package func close() {
        endCall()
        lock.withLock {
            closeInput()
            for voice in voices { voice.isPlaying = false }
            do throws(MediaError) {
                try sink?.close()
            } catch {
                report(error, .output)
            }
            (sink, voices, hasOpenedInput, hasOpenedOutput) = (nil, [], true, true)
        }
    }

    // MARK: Calls

    /// Queues a received packet; called on the client's thread.
    package func received(_ packet: ReceivedAudio) {
        if output != .none { inbox.received(packet) }
    }

    /// Sets the sources to play; called on the client's thread, before their first packet.
    package func setSources(_ sources: [AudioSource]) { inbox.setSources(sources) }

    /// Sets the state of the calls.
    package func set(_ line: AudioLine) { inbox.set(line) }

    /// Has the frames of the calls flow, or go on to another destination.
    package func beginCall(_ packets: any PacketOutput) {
        guard input != .none || output != .none else { return }
        lock.withLock {
            let isNew = self.packets == nil
            self.packets = packets
            guard isNew else { return }
            openInput()
            openOutput()
            // Sound from before the call is old.
            _ = inbox.take()
            do throws(MediaError) {
                try (source as? RawAudioSource)?.discardWritten()
            } catch {
                failInput(error)
            }
            receiver = sink == nil ? nil : CallAudioReceiver(sink: callFrame)
            run()
        }
    }

    /// Stops the frames of the calls; none flows after the return.
    package func endCall() {
        lock.withLock {
            guard packets != nil else { return }
            (packets, receiver) = (nil, nil)
            if input.isShared { closeInput() }
            inbox.set(AudioLine())
            do throws(MediaError) {
                try sink?.flush()
            } catch {
                failOutput(error)
            }
        }
    }

    /// Has a file begin anew with the next call.
    package func rewind() {
        guard case .file = input else { return }
        lock.withLock {
            if packets == nil { closeInput() }
        }
    }

    // MARK: Players

    /// Plays a sound, from its position.
    package func play(_ voice: PlayerVoice) {
        lock.withLock {
            voice.isPlaying = true
            openOutput()
            if !voices.contains(where: { $0 === voice }) { voices.append(voice) }
            run()
        }
    }

    /// Returns and removes what was heard, of ``AudioOutput/memory``.
    package func takeHeard() -> [Int16] {
        lock.withLock { (sink as? SampleSink)?.take() ?? [] }
    }

    // MARK: Frames

    /// Starts the clock; called with the lock held.
    private func run() {
        guard !isTicking else { return }
        isTicking = true
        ticker.run { [weak self] now in self?.tick(at: now) ?? false }
    }

    private func tick(at now: Int64) -> Bool {
        var ended: [PlayerVoice] = []
        var idle: (any AudioFrameSink)?
        let goesOn = lock.withLock {
            isTicking = packets != nil || !voices.isEmpty
            guard isTicking else {
                if output.isShared { (idle, sink, hasOpenedOutput) = (sink, nil, false) }
                return false
            }
            let content = inbox.take()
            if packets != nil {
                send(content.line)
                receive(content, at: now)
            }
            ended = play()
            return true
        }
        // Plays the rest, which takes its time.
        try? idle?.close()
        for voice in ended { voice.notifyEnd() }
        return goesOn
    }

    private func send(_ line: AudioLine) {
        guard let packets, let sender else { return }
        do throws(MediaError) {
            _ = try sender.tick(line, to: packets)
        } catch {
            failInput(error)
        }
    }

    private func receive(_ content: CallAudioInbox.Content, at now: Int64) {
        do throws(MediaError) {
            try receiver?.tick(isOpen: true, sources: content.sources, content.packets, at: now)
        } catch {
            receiver = nil
            report(error, .output)
        }
    }

    /// Plays a frame of the calls and the players; returns the players that have ended.
    private func play() -> [PlayerVoice] {
        for index in sum.indices { sum[index] = 0 }
        if receiver != nil {
            for index in sum.indices { sum[index] = Int32(callFrame.samples[index]) }
        }
        var ended: [PlayerVoice] = []
        voices.removeAll { voice in
            let progress = voice.mix(into: &sum)
            if progress == .ended { ended.append(voice) }
            return progress != .going
        }
        guard let sink else { return ended }
        for index in sum.indices { frame[index] = Int16(clamping: sum[index]) }
        do throws(MediaError) {
            try sink.append(frame)
        } catch {
            failOutput(error)
        }
        return ended
    }

    // MARK: Devices

    private func openInput() {
        guard !hasOpenedInput else { return }
        hasOpenedInput = true
        do throws(MediaError) {
            source = try input.open()
            if let source { sender = try CallAudioSender(source: source, isLive: input.isLive) }
        } catch {
            failInput(error)
        }
    }

    private func closeInput() {
        (source, sender, hasOpenedInput) = (nil, nil, false)
    }

    private func openOutput() {
        guard !hasOpenedOutput else { return }
        hasOpenedOutput = true
        do throws(MediaError) {
            sink = try output.open()
        } catch {
            failOutput(error)
        }
    }

    private func failInput(_ error: MediaError) {
        (source, sender) = (nil, nil)
        report(error, .input)
    }

    private func failOutput(_ error: MediaError) {
        try? sink?.close()
        (sink, receiver) = (nil, nil)
        report(error, .output)
    }
}

/// A sink that holds the last frame of the calls.
private final class FrameSink: AudioFrameSink {
    private(set) var samples = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)

    var storesPackets: Bool { false }

    func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        for (index, sample) in samples.prefix(self.samples.count).enumerated() { self.samples[index] = sample }
    }

    func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {}

    func close() throws(MediaError) {}
}
