import HubEngine

/// Events of other loops.
extension Hub {
    /// Handles an event of another loop as if it had occurred here; `flushRecordsAndStopIfDone` completes a batch.
    func handle(_ report: LoopReport) {
        switch report {
        case .opened(let id, let info): opened(id, info: info)
        case .text(let bytes, let id): bytes.withUnsafeBytes { received(text: $0, from: id) }
        case .slowConsumer(let id, let firstLost): slowConsumer(id, firstLost: firstLost)
        case .closed(let id, let reason): closed(id, reason: reason)
        case .quality(let quality): received(quality)
        case .dropped(let report): notify(report)
        case .httpGet(let request, let requestID):
            if case .now(let response) = httpGet(request, requestID: requestID) {
                transport?.answer(requestID, with: response)
            }
        }
    }

    /// Completes records and stops, if the statistics that have arrived were the last ones awaited.
    func flushRecordsAndStopIfDone() {
        flushRecords()
        stopIfDone()
    }
}
