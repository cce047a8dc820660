package import HubClient

/// A destination of a call's Opus packets: a session of a hub, or a test.
package protocol PacketOutput: Sendable {
    /// Sends a packet; it is left out where no call takes it.
    ///
    /// - Parameters:
    ///   - packet: One Opus packet of 10, 20, 40 or 60 ms, mono.
    ///   - samples: Its duration at 48 kHz: 960 for 20 ms.
    func send(_ packet: [UInt8], durationInSamples samples: Int)
    /// Sends nothing for a time; the next packet starts a talk spurt.
    ///
    /// - Parameter samples: The duration at 48 kHz.
    func pause(durationInSamples samples: Int)
}

extension HubClient: PacketOutput {
    package func send(_ packet: [UInt8], durationInSamples samples: Int) {
        sendAudio(packet, durationInSamples: samples)
    }

    package func pause(durationInSamples samples: Int) { pauseAudio(durationInSamples: samples) }
}
