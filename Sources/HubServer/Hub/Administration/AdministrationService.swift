public import HubWire

/// The accounts, the audit log and the certificate of a hub, for its administrators.
public protocol AdministrationService: Sendable {
    /// The accounts that an operator has created, disabled ones included, without the number of their devices.
    var accounts: [AdminAccount] { get }

    /// Executes a request without blocking the caller; one that changes something is in the audit log.
    ///
    /// - Parameters:
    ///   - request: A request that is not the hub's own.
    ///   - actor: The session.
    ///   - then: Called with the result, on any thread.
    func answer(
        _ request: AdminRequest,
        by actor: AuditActor,
        _ then: @escaping @Sendable (Result<ReplyPayload, WireError>) -> Void
    )

    /// Stores an entry of the audit log, before an act of the hub's own begins.
    ///
    /// - Parameters:
    ///   - act: The act.
    ///   - actor: The session.
    ///   - then: Called when the entry is stored, or with the error that prevents it, on any thread.
    func record(_ act: AuditAct, by actor: AuditActor, _ then: @escaping @Sendable (WireError?) -> Void)

    /// Finds out the parts of the status that are in files, without blocking the caller.
    ///
    /// - Parameter then: Called with the parts, on any thread.
    func findStatus(_ then: @escaping @Sendable (AdministrationStatus) -> Void)
}

/// The parts of `admin.status` that are in files.
public struct AdministrationStatus: Sendable {
    /// The certificate that clients see; nil: the hub has none of its own.
    public var certificate: AdminStatus.Certificate?
    /// The last entry of the audit log; nil: there is none.
    public var auditHead: AuditHead?

    /// Makes a status without certificate and audit log.
    public init() {}
}
