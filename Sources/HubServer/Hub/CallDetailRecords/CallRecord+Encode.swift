import HubEngine
import HubWire

/// The record as one line of JSON; docs/operations.md describes each member.
extension CallRecord {
    /// Appends the line with its line feed.
    func encode(into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes) { json in
            json.object { json in
                encodeHead(into: &json)
                json.array("legs", legs) { $0.object($1.encode) }
                if omittedLegs > 0 { json.member("omittedLegs", omittedLegs) }
                json.array("events", firstEvents + lastEvents) { $0.object($1.encode) }
                if omittedEvents > 0 { json.member("omittedEvents", omittedEvents) }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private func encodeHead(into json: inout JSONWriter) {
        json.member("call", mainLeg?.callUUID) { $0.value($1) }
        json.member("startedAt", startedAt)
        json.member("connectedAt", connectedAt) { $0.value($1) }
        json.member("endedAt", endedAt) { $0.value($1) }
        json.member("durationMilliseconds", duration.wholeNanoseconds / 1_000_000)
        if let leg = mainLeg {
            json.member("caller", leg.isOutgoing ? leg.account : nil) { $0.value($1) }
            json.object("called") { json in
                json.member("type", "\(leg.isOutgoing ? leg.remoteHandle.type : .generic)")
                json.member("value", leg.isOutgoing ? leg.remoteHandle.value : leg.account)
            }
            json.member("endedReason", leg.endedReason) { $0.value($1.name) }
            json.member("cause", leg.cause) { $0.value($1.rawValue) }
        }
    }

    /// The time from the connection to the end; zero if the call was not answered.
    var duration: Duration {
        guard let connectedAt, let endedAt else { return .zero }
        return max(.zero, endedAt.since(connectedAt))
    }
}

extension CallRecord.Event {
    fileprivate func encode(into json: inout JSONWriter) {
        json.member("at", at)
        json.member("leg", leg) { $0.value($1) }
        json.member("event", kind.rawValue)
        json.optional("detail", detail) { $0.value($1) }
    }
}

extension CallRecord.Leg {
    fileprivate func encode(into json: inout JSONWriter) {
        json.member("role", isOutgoing ? "caller" : "callee")
        json.member("call", callUUID)
        json.member("account", account)
        json.object("device") { json in
            json.member("id", deviceID)
            json.member("name", deviceName) { $0.value($1) }
        }
        json.member("address", address)
        json.member("connectedAt", connectedAt) { $0.value($1) }
        json.member("endedAt", endedAt) { $0.value($1) }
        json.member("endedReason", endedReason) { $0.value($1.name) }
        json.member("cause", cause) { $0.value($1.rawValue) }
        if participants > 0 { json.member("participants", participants) }
        json.member("audio", quality) { json, quality in json.object(quality.encode) }
        if !awaited.isEmpty { json.member("isIncomplete", true) }
    }
}

extension LegQuality {
    fileprivate func encode(into json: inout JSONWriter) {
        json.object("sent") { json in
            json.member("packets", sent.received)
            json.member("passedOn", sent.forwarded)
            json.member("lost", sent.lost)
            json.object("dropped") { json in
                for reason in DropReason.allCases where sent.drops[Int(reason.rawValue)] > 0 {
                    json.member(reason.label, sent.drops[Int(reason.rawValue)])
                }
            }
            json.milliseconds("longestSilenceMilliseconds", Double(sent.longestSilence) / 1_000_000)
            json.milliseconds("longestStallMilliseconds", Double(sent.longestStall) / 1_000_000)
            json.member("stalls", sent.stalls)
            json.object("jitterMilliseconds") { json in
                json.milliseconds("mean", Double(sent.jitterSum) / Double(max(1, sent.received)) / 48)
                json.milliseconds("max", Double(sent.jitterMax) / 48)
            }
        }
        json.object("heard") { json in
            json.member("packets", delivery.accepted)
            json.member("droppedSlow", delivery.droppedSlow)
            json.member("missedWhileLost", delivery.missedWhileDisconnected)
            json.member("longestWaitMilliseconds", delivery.longestQueueTime)
        }
        json.member("reported", reported.count > 0 ? reported : nil) { json, reported in
            json.object { json in
                json.member("reports", reported.count)
                json.milliseconds("worstPercentLost", Double(reported.worstFractionLost) * 100 / 256)
                json.member("lost", reported.cumulativeLost)
                json.milliseconds("jitterMaxMilliseconds", Double(reported.jitterMax) / 48)
            }
        }
        json.object("link") { json in
            json.member("roundTripMilliseconds", path.roundTrip > 0 ? path.roundTrip : nil) { json, microseconds in
                json.literal(JSONWriter.tenths(Double(microseconds) / 1000))
            }
            json.member("retransmissions", path.retransmissions)
        }
    }
}

extension JSONWriter {
    /// Formats a number with one decimal.
    fileprivate mutating func milliseconds(_ name: String, _ value: Double) {
        key(name)
        literal(Self.tenths(value))
    }

    fileprivate static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
