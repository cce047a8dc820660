import CallKit

/// Pauses the music while the device has a call, whoever's it is.
final class MusicPlayer: NSObject, CXCallObserverDelegate {
    private(set) var isPlaying = true
    private let observer = CXCallObserver()

    override init() {
        super.init()
        observer.setDelegate(self, queue: nil)
    }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        isPlaying = callObserver.calls.allSatisfy { $0.hasEnded }
    }
}
