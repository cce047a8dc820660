import Foundation
import HubMedia
import HubSimulation
import Testing

@Suite struct RawAudioTests {
    @Test func `an empty pipe gives silence at once, then its audio, then the end`() throws {
        let pipe = Pipe()
        let source = RawAudioSource(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the pipe")
        let silence = AudioFrame.samples([Int16](repeating: 0, count: 960))
        #expect(try source.nextFrame() == silence)
        #expect(source.underruns == 0)
        let samples = (0..<1_000).map { Int16($0) }
        pipe.fileHandleForWriting.write(samples.withUnsafeBytes { Data($0) })
        #expect(try source.nextFrame() == .samples(Array(samples.prefix(960))))
        // 40 samples are not a frame yet.
        #expect(try source.nextFrame() == silence)
        #expect(source.underruns == 1)
        try pipe.fileHandleForWriting.close()
        let rest = Array(samples.suffix(40)) + [Int16](repeating: 0, count: 920)
        #expect(try source.nextFrame() == .samples(rest))
        #expect(try source.nextFrame() == nil)
    }

    @Test func `a reader that stops loses the oldest audio and blocks no one`() throws {
        let pipe = Pipe()
        let sink = RawAudioSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "the pipe")
        let samples = (0..<(48_000 * 4)).map { Int16(truncatingIfNeeded: $0) }
        for frame in frames(samples) { try sink.append(frame) }
        #expect(sink.droppedSamples > 48_000)
        #expect(sink.droppedSamples < 48_000 * 3)
        let first = pipe.fileHandleForReading.availableData
        let start = first.withUnsafeBytes { Array($0.bindMemory(to: Int16.self).prefix(100)) }
        #expect(start == Array(samples.prefix(100)))
    }

    @Test func `audio passes through a pipe bit by bit`() throws {
        let pipe = Pipe()
        let sink = RawAudioSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "the pipe")
        let source = RawAudioSource(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the pipe")
        var random = SeededRandom(seed: 13)
        for _ in 0..<100 {
            let samples = (0..<960).map { _ in Int16(truncatingIfNeeded: random.next()) }
            try sink.append(samples)
            #expect(try source.nextFrame() == .samples(samples))
        }
        try sink.close()
    }
}
