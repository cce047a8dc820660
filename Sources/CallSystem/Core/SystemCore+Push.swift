package import Dispatch
package import Foundation
import HubEngine

/// A call that rings at the hub, as a push announces it to an app.
package struct PushAnnouncement: Sendable {
    /// The hub's UUID of the call.
    package var call: UUID
    /// The value of the caller's handle.
    package var handle: String
    /// The caller's name.
    package var callerName: String
    /// True if the call has video.
    package var hasVideo: Bool
}

// Pushes: a call that rings at the hub is announced to the app, which reports it.
extension SystemCore {
    /// Announces a new call to the app; one that the app does not report in time is shown all the same.
    func announce(_ index: Int, _ snapshot: CallSnapshot) {
        guard let pushReceiver else { return }
        calls[index].isAnnounced = true
        let announcement = PushAnnouncement(
            call: snapshot.uuid.uuid,
            handle: snapshot.remoteHandle.value,
            callerName: snapshot.localizedCallerName,
            hasVideo: snapshot.hasVideo
        )
        let receive = pushReceiver.receive
        pushReceiver.mailbox.post { receive(announcement) }
        backend.schedule(after: Self.reportTimeout) { [weak self] in
            guard let self, self.calls.contains(where: { $0.uuid == snapshot.uuid && $0.isAnnounced }) else { return }
            self.system?.warn(
                "The app has not reported the call of \(announcement.callerName) that a push announced; an iPhone "
                    + "would have ended the app. The call rings all the same."
            )
            self.show(snapshot.uuid)
        }
    }

    /// Shows an announced call on the screen and to observers.
    func show(_ call: CallUUID) {
        guard let index = calls.firstIndex(where: { $0.uuid == call }) else { return }
        calls[index].isAnnounced = false
        let shown = calls[index]
        if let observed = notifyObservers(of: shown) { calls[index].observed = observed }
        answerBySettings(index)
        handleUnreported()
        notifyWatchers()
    }

    /// Returns the index of the announced call that a report under another UUID means; nil: none waits for a report.
    func announcedCall(_ update: CallUpdate) -> Int? {
        let waiting = calls.indices.filter { calls[$0].isAnnounced }
        return waiting.first { calls[$0].snapshot?.remoteHandle.value == update.remoteHandle?.value } ?? waiting.first
    }

    /// Returns true, once, if a report means a call that was announced and has ended since.
    func isMissed(_ call: CallUUID, _ update: CallUpdate) -> Bool {
        let index = missedAnnouncements.firstIndex { $0.call == call || $0.handle.value == update.remoteHandle?.value }
        guard let index, !calls.contains(where: { $0.isAnnounced }) else { return false }
        missedAnnouncements.remove(at: index)
        return true
    }

    /// The time in which an app has to report a call.
    private static let reportTimeout = Duration.seconds(5)
}

extension CallSystem {
    /// Sets the receiver of pushes; from then on the app reports the calls that ring at the hub.
    ///
    /// - Parameters:
    ///   - queue: The queue of the receiver.
    ///   - receive: The receiver; nil: calls are shown without a report.
    ///   - then: The closure that is called on the queue when that is so.
    package func setPushReceiver(
        on queue: DispatchQueue,
        _ receive: (@Sendable (PushAnnouncement) -> Void)?,
        then: @escaping @Sendable () -> Void
    ) {
        post { core in
            let mailbox = CallbackMailbox(queue, core.run)
            core.pushReceiver = receive.map { (mailbox, $0) }
            mailbox.post(then)
        }
    }
}
