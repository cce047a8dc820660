import HubMedia
import Synchronization
import Testing

@testable import CallAudio

@Suite("Sending audio in real time")
struct CallAudioSenderTests {
    /// A destination that records its calls: the length of a packet or of a pause, in samples.
    private final class Output: PacketOutput {
        private let told = Mutex<[String]>([])

        func send(_ packet: [UInt8], durationInSamples samples: Int) { told.withLock { $0.append("sent \(samples)") } }
        func pause(durationInSamples samples: Int) { told.withLock { $0.append("paused \(samples)") } }

        /// Returns the calls since the last time.
        func taken() -> [String] {
            told.withLock { told in
                defer { told = [] }
                return told
            }
        }
    }

    /// A source of some frames.
    private final class Frames: AudioFrameSource {
        private var rest: ArraySlice<AudioFrame>
        private(set) var readCount = 0

        init(_ frames: [AudioFrame]) { rest = frames[...] }

        func nextFrame() throws(MediaError) -> AudioFrame? {
            readCount += 1
            return rest.popFirst()
        }
    }

    private final class Broken: AudioFrameSource {
        func nextFrame() throws(MediaError) -> AudioFrame? { throw MediaError(.inputOutput, "gone") }
    }

    private static let silence = AudioFrame.samples([Int16](repeating: 0, count: AudioFormat.samplesPerFrame))
    private static let long = AudioFrame.packet([0xF8, 0xFF, 0xFE], durationInSamples: 2_880)
    private let output = Output()

    private func sender(_ frames: [AudioFrame], isLive: Bool = false) throws -> (CallAudioSender, Frames) {
        let source = Frames(frames)
        return (try CallAudioSender(source: source, isLive: isLive), source)
    }

    @Test func `a file waits for the call, and the time until then is a pause`() throws {
        let (sender, source) = try sender([Self.silence, Self.silence])
        #expect(try sender.tick(AudioLine(), to: output) == .going)
        #expect(source.readCount == 0)
        #expect(output.taken() == [])
        #expect(try sender.tick(AudioLine(isOpen: true), to: output) == .going)
        #expect(output.taken() == ["sent 960"])
        #expect(try sender.tick(AudioLine(), to: output) == .going)
        #expect(source.readCount == 1)
    }

    @Test func `a microphone goes on while no call is open, and nothing of it is sent later`() throws {
        let (sender, source) = try sender([Self.silence, Self.silence, Self.long], isLive: true)
        for _ in 0..<2 { _ = try sender.tick(AudioLine(), to: output) }
        #expect(source.readCount == 2)
        #expect(output.taken() == ["paused 960", "paused 960"])
        _ = try sender.tick(AudioLine(isOpen: true), to: output)
        #expect(output.taken() == ["sent 2880"])
    }

    @Test func `a muted party sends nothing, and its source goes on`() throws {
        let (sender, source) = try sender([Self.silence, Self.silence])
        _ = try sender.tick(AudioLine(isOpen: true, isMuted: true), to: output)
        #expect(output.taken() == ["paused 960"])
        _ = try sender.tick(AudioLine(isOpen: true), to: output)
        #expect(output.taken() == ["sent 960"])
        #expect(source.readCount == 2)
    }

    @Test func `a packet of 60 ms is sent every third tick`() throws {
        let (sender, _) = try sender([Self.long, Self.long])
        var sent: [[String]] = []
        for _ in 0..<6 {
            _ = try sender.tick(AudioLine(isOpen: true), to: output)
            sent.append(output.taken())
        }
        #expect(sent == [["sent 2880"], [], [], ["sent 2880"], [], []])
    }

    @Test func `the end of the source is told once, and then there is silence`() throws {
        let (sender, _) = try sender([Self.silence])
        let line = AudioLine(isOpen: true)
        #expect(try sender.tick(line, to: output) == .going)
        #expect(try sender.tick(line, to: output) == .over)
        _ = output.taken()
        #expect(try sender.tick(line, to: output) == .going)
        #expect(output.taken() == ["paused 960"])
    }

    @Test func `a source that fails is told of once, and then there is silence`() throws {
        let sender = try CallAudioSender(source: Broken(), isLive: true)
        #expect(throws: MediaError.self) { try sender.tick(AudioLine(isOpen: true), to: output) }
        #expect(try sender.tick(AudioLine(isOpen: true), to: output) == .going)
        #expect(output.taken() == ["paused 960"])
    }
}
