import BenchmarkClient
import BenchmarkSupport
import Dispatch
import Glibc
import Synchronization

/// The hub's certificate is replaced again and again under calls over TLS, one kind of certificate after the other.
///
/// No connection may notice: none is closed, and no packet is lost. New connections see the new certificate.
struct RenewalsTrial {
    private let options: TrialOptions
    private let certificate: RenewedCertificate
    private let hub: TrialHub
    private let calls: MeasuredCalls

    /// Runs the trial.
    static func run(_ options: TrialOptions) throws(BenchmarkError) -> RenewalsReport {
        try allowOpenFiles(2 * options["--calls"] + 256)
        var rows: [RenewalsReport.Row] = []
        for kind in RenewedCertificate.Kind.allCases { rows.append(try RenewalsTrial(kind, options).measured()) }
        return RenewalsReport(options, rows)
    }

    private init(_ kind: RenewedCertificate.Kind, _ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        certificate = try RenewedCertificate(kind, options)
        hub = try certificate.startHub()
        Progress.show("\(kind.rawValue): setting up \(options["--calls"]) calls")
        calls = try MeasuredCalls.connect(
            options["--calls"],
            packetsPerSecond: options["--packets"],
            to: hub.address,
            tls: TLSClient()
        )
    }

    private func measured() throws(BenchmarkError) -> RenewalsReport.Row {
        let seconds = UInt64(options["--seconds"]) * 1_000_000_000
        // Connections, caches and the hub's tables settle.
        try calls.run(nanoseconds: 2_000_000_000)
        _ = calls.take()
        Progress.show("\(certificate.kind.rawValue): before")
        try calls.run(nanoseconds: seconds)
        let before = calls.take()
        Progress.show("\(certificate.kind.rawValue): while it is replaced")
        let work = Replacements(of: certificate, at: hub)
        try calls.run(nanoseconds: seconds)
        work.isOver = true
        // The generator goes on while the last replacement is under way, so that none is late.
        while !work.hasEnded { try calls.run(nanoseconds: 100_000_000) }
        try calls.drain(nanoseconds: 500_000_000)
        let during = calls.take()
        if let fault = work.fault { throw fault }
        return RenewalsReport.Row(
            kind: certificate.kind.rawValue,
            certificates: work.seen,
            before: RenewalsReport.Figures(before),
            during: RenewalsReport.Figures(during)
        )
    }
}

/// A thread that replaces the certificate, and looks what a new connection is shown.
private final class Replacements: Sendable {
    private struct State {
        var isOver = false
        var hasEnded = false
        var seen = 0
        var fault: BenchmarkError?
    }

    private let state = Mutex(State())

    init(of certificate: RenewedCertificate, at hub: TrialHub) {
        let (address, process) = (hub.address, hub.child.id)
        let source = certificate.source
        DispatchQueue.global().async { [self] in
            var last = ""
            var seen = 0
            var fault: BenchmarkError?
            do throws(BenchmarkError) {
                last = try source.shown(at: address)
                while !isOver {
                    try source.replace(process)
                    last = try source.waitForChange(of: last, at: address)
                    seen += 1
                }
            } catch {
                fault = error
            }
            state.withLock { ($0.seen, $0.fault, $0.hasEnded) = (seen, fault, true) }
        }
    }

    /// Indicates that no further replacement is begun.
    var isOver: Bool {
        get { state.withLock { $0.isOver } }
        set { state.withLock { $0.isOver = newValue } }
    }

    /// Indicates that the last replacement is done.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    /// The number of certificates that new connections have seen after the first one.
    var seen: Int { state.withLock { $0.seen } }
    /// The fault that ended the replacements; nil: there was none.
    var fault: BenchmarkError? { state.withLock { $0.fault } }
}
