import Foundation
import HubCertificates
import HubEngine
import HubServer
import HubStore
import HubWire

/// The keeper of the audit log: it removes old entries, and writes the head to the log, on each start and once a day.
///
/// The head in the log shows later that entries at the end were cut off, or all were written anew: a log is most often
/// kept by another user, or on another machine.
final class AuditKeeper: Sendable {
    private let store: Store
    private let keepDays: Int
    private let log: HubLog
    private let check: PeriodicCheck

    /// Starts the keeper.
    ///
    /// - Parameters:
    ///   - store: The store of the audit log.
    ///   - keepDays: The days for which entries are kept.
    ///   - log: The log of the head.
    init(_ store: Store, keepDays: Int, _ log: HubLog) {
        (self.store, self.keepDays, self.log) = (store, keepDays, log)
        let keep = { @Sendable in Self.keep(store, keepDays, log) }
        check = PeriodicCheck(every: 86_400, name: "audit", keep)
        keep()
    }

    /// Records a signal to the hub's process, without waiting for the disk.
    ///
    /// - Parameters:
    ///   - act: The act.
    ///   - signal: The name of the signal.
    func record(_ act: AuditAct, bySignal signal: String) {
        store.perform { file throws(StoreError) in
            try file.record(AuditAct(act.name, on: act.target, signal), by: AuditActor(.signal), .begun)
        } then: { [log] result in
            guard case .failure(let failure) = result else { return }
            log(.error, "signal not in the audit log", ["signal": signal, "reason": failure.message])
        }
    }

    /// Ends the keeper.
    func stop() { check.stop() }

    private static func keep(_ store: Store, _ keepDays: Int, _ log: HubLog) {
        let moment = Instant.now + .seconds(-86_400 * keepDays)
        store.perform { file throws(StoreError) in
            let removed = try file.pruneAudit(before: moment)
            return (removed, try file.auditHead())
        } then: { result in
            switch result {
            case .success(let (removed, head)):
                if removed > 0 { log(.info, "old audit entries removed", ["count": "\(removed)"]) }
                guard let head else { return }
                log(.info, "audit log", ["entry": "\(head.number)", "sha256": head.hash.hexadecimal])
            case .failure(let failure):
                log(.error, "audit log not readable", ["reason": failure.message])
            }
        }
    }
}
