import CommandLineTools
import Foundation
import HubClient
import HubEngine

/// Formats an administrator's lists as tables with aligned columns.
enum AdminTables {
    static func text(_ calls: [AdminCall]) -> String {
        guard !calls.isEmpty else { return "There are no calls.\n" }
        var table = TextTable("CALL", "STATE", "FROM", "TO", "TIME", "PACKETS")
        for call in calls {
            table.add(
                call.conversation.logText,
                call.state.words,
                call.caller.words,
                call.callee.words,
                (call.connectedAt ?? call.startedAt).map { time(since: $0) } ?? "-",
                grouped(call.audioPackets)
            )
        }
        return table.text(isColoured: Terminal.hasColours)
    }

    static func text(_ devices: [AdminDevice]) -> String {
        var table = TextTable("SESSION", "ACCOUNT", "DEVICE", "ADDRESS", "FOR", "CALLS")
        for device in devices {
            table.add(
                device.session,
                device.account,
                device.device.name ?? device.device.id ?? "-",
                device.address ?? "connection lost",
                time(since: device.since),
                grouped(device.calls)
            )
        }
        return table.text(isColoured: Terminal.hasColours)
    }

    static func text(_ accounts: [AdminAccount]) -> String {
        var table = TextTable("ACCOUNT", "DEVICES", "HANDLES")
        for account in accounts {
            let handles = account.handles.map(\.text).joined(separator: ", ")
            table.add(account.account, grouped(account.devices), handles)
        }
        return table.text(isColoured: Terminal.hasColours)
    }

    private static func time(since instant: Instant) -> String {
        words(for: Int(Date().timeIntervalSince1970) - Int(instant.nanoseconds / 1_000_000_000))
    }

    /// Formats a duration for people: `12 s`, `3 m 12 s`, `2 h 3 m`, `4 d 5 h`.
    static func words(for seconds: Int) -> String {
        // The hub's clock may be ahead of this one.
        let seconds = max(0, seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
        if days > 0 { return "\(days) d \(hours % 24) h" }
        if hours > 0 { return "\(hours) h \(minutes % 60) m" }
        if minutes > 0 { return "\(minutes) m \(seconds % 60) s" }
        return "\(seconds) s"
    }
}

extension CallSnapshot.State {
    fileprivate var words: String {
        switch self {
        case .starting: "starting"
        case .connecting: "connecting"
        case .ringing: "ringing"
        case .connected: "talking"
        case .held: "on hold"
        case .ended: "over"
        }
    }
}

extension AdminCall.Party {
    /// The party's account, or the handle of a party without an account.
    fileprivate var words: String { account ?? handle.text }
}
