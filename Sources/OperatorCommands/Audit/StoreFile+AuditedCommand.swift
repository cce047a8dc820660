import Foundation
import HubStore
package import HubWire

extension StoreFile {
    /// Performs an act of the operator's at the command line, with its entry in the audit log.
    ///
    /// - Parameters:
    ///   - name: The name of the act.
    ///   - target: The account or invitation that it is about; nil: none.
    ///   - detail: Further details, never a secret; nil: none.
    ///   - work: The act's changes.
    /// - Returns: The result of the act.
    /// - Throws: `StoreError` of the act, or of the audit log, in which case nothing has changed.
    @discardableResult
    func audited<Value>(
        _ name: String,
        on target: String? = nil,
        _ detail: String? = nil,
        _ work: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try audited(AuditAct(name, on: target, detail), by: .commandLine, work).get()
    }
}

extension AuditActor {
    /// The system user of this process, with the one who has called sudo.
    package static var commandLine: AuditActor {
        let id = getuid()
        let name = getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? String(id)
        let caller = ProcessInfo.processInfo.environment["SUDO_USER"].flatMap { $0.isEmpty || $0 == name ? nil : $0 }
        return AuditActor(.commandLine, user: caller.map { "\(name) (sudo: \($0))" } ?? name)
    }
}
