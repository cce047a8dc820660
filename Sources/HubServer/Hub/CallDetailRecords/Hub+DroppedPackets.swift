import HubEngine
import HubWire

/// Notifications of dropped packets, to the clients that asked for them.
extension Hub {
    /// Notifies a client of drops.
    ///
    /// No account is charged. While the connection is lost only last drops come; they are kept for the resume.
    ///
    /// - Parameter report: The drops of one of its audio sessions.
    package func notify(_ report: DropReport) {
        guard let session = sessions[report.session], session.reportsDroppedPackets,
            let audio = session.audioSessions.id(ofSSRC: report.ssrc)
        else { return }
        var dropped = DroppedPackets(audioSession: audio, ssrc: report.ssrc, slowConsumer: report.drops.slow)
        for reason in DropReason.allCases {
            let count = report.drops.sent[Int(reason.rawValue)]
            if count > 0, let word = reason.senderReason { dropped.sent[word] = count }
        }
        notify(session, .packetsDropped(dropped), causedBy: nil)
    }
}
