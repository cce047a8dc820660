/// The conversion of a run's events into ordered rows.
struct LadderRows {
    private(set) var rows: [Ladder.Row] = []

    private struct Event {
        var at: Duration
        /// The sequence number, since many events may have the same time, especially in virtual time.
        var order: Int
        var content: Content
    }

    private enum Content {
        case step(Int)
        case message(device: Int, MessageRecord)
        case failure
    }

    /// Creates the rows of a run.
    init(_ record: RunResult) {
        for event in Self.events(of: record) { add(event) }
        let end = max(record.duration, rows.last?.at ?? .zero)
        addEdges((Self.edges(of: record) + [end]).filter { $0 <= end }.sorted())
        fold()
    }

    // MARK: The order

    private static func events(of record: RunResult) -> [Event] {
        var events = record.steps.enumerated().map { index, step in
            Event(at: step.begin, order: step.order, content: .step(index))
        }
        for (index, device) in record.devices.enumerated() {
            events += device.messages.map { message in
                Event(at: message.at, order: message.order, content: .message(device: index, message))
            }
        }
        if let failedAt = record.failedAt { events.append(Event(at: failedAt, order: .max, content: .failure)) }
        return events.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
    }

    // MARK: The rows

    private mutating func add(_ event: Event) {
        switch event.content {
        case .step(let index): rows.append(Ladder.Row(at: event.at, step: index))
        case .failure: rows.append(Ladder.Row(at: event.at, isFailure: true))
        case .message(let device, let message):
            let arrow = Ladder.Arrow(device: device, message: message)
            guard let last = rows.indices.last, rows[last].takes(arrow, at: event.at) else {
                rows.append(Ladder.Row(at: event.at, arrows: [arrow]))
                return
            }
            rows[last].arrows.append(arrow)
        }
    }

    /// Returns the times at which a state begins or ends.
    private static func edges(of record: RunResult) -> [Duration] {
        record.devices.flatMap { device in
            device.audio.flatMap { [$0.begin, $0.end] } + device.held.flatMap { [$0.begin, $0.end] }
                + device.receivedVoices.flatMap { [$0.begin, $0.end] }
        }.compactMap(\.self)
    }

    /// Adds bare rows for edges that have no row near them.
    private mutating func addEdges(_ edges: [Duration]) {
        var merged: [Ladder.Row] = []
        var rest = rows[...]
        for edge in edges {
            while let next = rest.first, next.at <= edge { merged.append(rest.removeFirst()) }
            let isNear = [merged.last, rest.first].contains { row in
                row.map { abs($0.at - edge) <= Ladder.simultaneityTolerance } ?? false
            }
            if !isNear { merged.append(Ladder.Row(at: edge)) }
        }
        rows = merged + rest
    }

    private mutating func fold() {
        var last = Duration.zero
        for index in rows.indices {
            let gap = rows[index].at - last
            if gap >= Ladder.quiet { rows[index].quiet = gap }
            last = rows[index].at
        }
    }
}

extension Ladder.Row {
    /// Indicates that a message fits into this row: simultaneous, of the same kind, and on a free column.
    fileprivate func takes(_ arrow: Ladder.Arrow, at time: Duration) -> Bool {
        guard time - at <= Ladder.simultaneityTolerance, !isFailure else { return false }
        return arrows.allSatisfy { $0.message.kind == arrow.message.kind && $0.device != arrow.device }
    }
}

/// Returns the absolute value of a duration.
private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
