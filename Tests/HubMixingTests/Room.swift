import Glibc
import HubMedia
import HubMixing
import HubWire

/// Parties at a mixer, on a simulated clock: their packets go in, and each party's stream is decoded.
final class Room {
    /// A party that sends.
    final class Party {
        let number: UInt32
        /// The time of its first packet, in nanoseconds.
        let phase: Int64
        /// True if its packets have levels (RFC 6464).
        let hasLevels: Bool
        /// The sound of a frame, by number.
        let sound: (Int) -> [Int16]
        /// The packets of 20 ms that it has sent.
        var sent: [[UInt8]] = []
        /// Nanoseconds that a packet is delayed, by its number.
        var delay: (Int) -> Int64 = { _ in 0 }
        fileprivate var encoder: OpusEncoder

        init(_ number: UInt32, phase: Double, hasLevels: Bool, sound: @escaping (Int) -> [Int16]) throws {
            self.number = number
            self.phase = Int64(phase * 1_000_000)
            self.hasLevels = hasLevels
            self.sound = sound
            var settings = OpusEncoderSettings()
            settings.application = .audio
            settings.bitsPerSecond = 64_000
            settings.complexity = 5
            encoder = try OpusEncoder(settings)
        }
    }

    /// The stream that a listener receives.
    final class Stream {
        /// The sound by time, from the room's beginning: at 48 kHz, with silence where no packet was sent.
        var samples: [Int16] = []
        var packets: [RTPPacket] = []
        /// The duration of each packet in samples.
        var durations: [Int] = []
        var contributors: [UInt32] = []
        var levels: [AudioLevel] = []
        fileprivate var decoder: OpusDecoder?
    }

    let mixer: ConferenceMixer
    private(set) var parties: [Party] = []
    private(set) var streams: [UInt32: Stream] = [:]
    /// The number of frames so far.
    private(set) var frame = 0
    /// The packets under way, by arrival.
    private var underway: [(arrival: Int64, packet: [UInt8])] = []

    init(_ settings: MixerSettings = MixerSettings()) {
        mixer = ConferenceMixer(settings, ssrc: 0xF00D)
    }

    /// Adds a party.
    @discardableResult
    func add(
        _ number: UInt32,
        phase: Double = 7,
        hasLevels: Bool = false,
        sound: @escaping (Int) -> [Int16]
    ) throws -> Party {
        let party = try Party(number, phase: phase, hasLevels: hasLevels, sound: sound)
        parties.append(party)
        return party
    }

    /// Adds a party with a tone.
    @discardableResult
    func add(_ number: UInt32, hertz: Double, amplitude: Double = 0.2, phase: Double = 7) throws -> Party {
        var tone = Tone(hertz: hertz, amplitude: amplitude)
        return try add(number, phase: phase) { _ in tone.next(960) }
    }

    /// Lets some parties receive one another.
    func join(_ numbers: [UInt32], draining: [UInt32] = []) throws {
        for number in numbers {
            try mixer.setListeners(
                numbers.filter { $0 != number }.map { ListenerID(UInt64($0)) },
                draining: draining.filter { $0 != number }.map { ListenerID(UInt64($0)) },
                of: number
            )
        }
    }

    /// Lets some parties leave; the rest of what they receive is played if it `drains`.
    func part(_ numbers: [UInt32], drains: Bool) throws {
        let all = numbers.map { ListenerID(UInt64($0)) }
        for number in numbers { try mixer.setListeners([], draining: drains ? all : [], of: number) }
    }

    /// Runs some frames of 20 ms: what arrives in each, and then the mixer.
    ///
    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - isStalled: True if the mixer leaves these frames out.
    /// - Throws: An error of libopus.
    func run(_ frames: Int, isStalled: Bool = false) throws {
        for _ in 0..<frames {
            let end = Int64(frame + 1) * 20_000_000
            for party in parties where party.phase < end { try send(party) }
            underway.sort { $0.arrival < $1.arrival }
            while let first = underway.first, first.arrival <= end {
                first.packet.withUnsafeBytes { mixer.insert($0, at: first.arrival) }
                underway.removeFirst()
            }
            frame += 1
            if isStalled { continue }
            try mixer.tick(at: end) { id, packet in receive(packet, UInt32(id.number)) }
        }
    }

    private func send(_ party: Party) throws {
        let number = party.sent.count
        let sound = party.sound(number)
        let payload = try party.encoder.encode(sound)
        party.sent.append(payload)
        var packet: [UInt8] = []
        RTPPacket.append(
            payloadType: 111,
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            timestamp: UInt32(truncatingIfNeeded: number * 960),
            ssrc: party.number,
            payload: payload.span,
            to: &packet
        )
        if party.hasLevels {
            var header = Array(packet[..<RTPPacket.headerSize])
            header[0] |= 0x10
            let loudest = sound.map { abs(Int($0)) }.max() ?? 0
            AudioLevel(attenuation: loudest > 40 ? 20 : 127).appendExtension(to: &header)
            packet = header + payload
        }
        underway.append((party.phase + Int64(number) * 20_000_000 + party.delay(number), packet))
    }

    private func receive(_ packet: UnsafeRawBufferPointer, _ listener: UInt32) {
        let bytes = packet.bindMemory(to: UInt8.self)
        guard let header = try? RTPPacket(parsing: bytes.span) else { return }
        let stream = streams[listener] ?? Stream()
        if stream.decoder == nil { stream.decoder = try? OpusDecoder() }
        let payload = Array(bytes[header.payloadRange])
        guard let samples = try? stream.decoder?.decode(payload) else { return }
        let start = Int(header.timestamp)
        if start > stream.samples.count {
            stream.samples += [Int16](repeating: 0, count: start - stream.samples.count)
        }
        stream.samples += samples
        stream.durations.append(samples.count)
        stream.contributors = (0..<header.contributingSourceCount).map { index in
            bytes[(12 + 4 * index)..<(16 + 4 * index)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        stream.levels = AudioLevel.ofContributingSources(in: bytes.span, header: header)
        stream.packets.append(header)
        streams[listener] = stream
    }

    /// The last second that a party has heard.
    func lastSecond(of party: UInt32) -> [Int16] { Array((streams[party]?.samples ?? []).suffix(48_000)) }

    /// A tone's level in some samples, in decibels of full scale.
    static func level(of hertz: Double, in samples: [Int16]) -> Double {
        let floats = samples.map { Float($0) / 32_768 }
        let amplitude = floats.withUnsafeBufferPointer {
            Goertzel(hertz: hertz, samplesPerSecond: 48_000).amplitude(in: $0)
        }
        return 20 * log10(max(amplitude, 1e-9))
    }
}
