import Foundation
import HubMedia

/// A sink that writes raw audio to a named pipe, whose readers may come and go.
///
/// While nobody reads, the audio is dropped, so that a reader hears what is said and not what was.
final class NamedPipeSink: AudioFrameSink {
    private let path: String
    private var descriptor: Int32 = -1
    private var sink: RawAudioSink?

    init(path: String) throws(MediaError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            let remedy = "make one with mkfifo, or name a file by file:PATH"
            throw MediaError(.inputOutput, "\(path) is no named pipe; \(remedy)")
        }
        self.path = path
        // A reader that leaves must not end the program, unless that is what it wishes.
        var action = sigaction()
        if sigaction(SIGPIPE, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil {
            signal(SIGPIPE, SIG_IGN)
        }
    }

    deinit { leave() }

    var storesPackets: Bool { false }

    func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        if sink == nil { enter() }
        guard let sink else { return }
        do throws(MediaError) {
            try sink.append(samples)
        } catch {
            leave()
        }
    }

    func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        throw MediaError(.invalidArgument, "\(path) holds samples; packets must be decoded first")
    }

    func close() throws(MediaError) {
        try? sink?.close()
        leave()
    }

    /// Opens the pipe if somebody reads from it.
    private func enter() {
        descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor >= 0 { sink = RawAudioSink(descriptor: descriptor, name: path) }
    }

    private func leave() {
        sink = nil
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
