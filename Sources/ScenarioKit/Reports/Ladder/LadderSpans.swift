/// The conversion of a device's states into ranges of rows.
struct LadderSpans {
    private(set) var device: Ladder.Device

    private let index: Int
    private let rows: [Ladder.Row]

    /// Creates the column of a device.
    ///
    /// - Parameters:
    ///   - record: The record of the device.
    ///   - index: The device's index.
    ///   - rows: The rows of the ladder.
    ///   - voices: The voices of the ladder.
    init(_ record: DeviceRecord, at index: Int, rows: [Ladder.Row], voices: [Voice]) {
        self.index = index
        self.rows = rows
        let own = voices.firstIndex(of: .party(record.deviceReference.party)) ?? 0
        device = Ladder.Device(name: record.deviceReference.description.onOneLine, voice: own)
        for span in record.audio { addAudio(span) }
        for span in record.held {
            let rowRange = self.rowRange(span.begin, span.end)
            device.tracks[track(of: span.call)].held.append(rowRange)
        }
        for voice in voices.indices { addLane(voice, voices[voice], record.receivedVoices) }
    }

    private mutating func addAudio(_ span: AudioSpan) {
        var rowRange = self.rowRange(span.begin, span.end)
        rowRange.from = row(withMethod: ".didActivateAudioSession", at: span.begin) ?? rowRange.from
        if let end = span.end {
            rowRange.to = row(withMethod: ".didDeactivateAudioSession", at: end) ?? rowRange.to
        }
        rowRange.to = max(rowRange.from, rowRange.to)
        let calls: [CallName?] = span.calls.isEmpty ? [nil] : span.calls
        for call in calls { device.tracks[track(of: call)].open.append(rowRange) }
    }

    private mutating func addLane(_ number: Int, _ voice: Voice, _ receivedVoices: [ReceivedVoicesSpan]) {
        var lane = Ladder.Lane(voice: number)
        for span in receivedVoices where span.voices.contains(voice) {
            // A voice that continues while another one begins or ends is one stretch.
            if let last = lane.spans.indices.last, lane.spans[last].end == span.begin {
                lane.spans[last].to = self.rowRange(span.begin, span.end).to
                lane.spans[last].end = span.end
            } else {
                lane.spans.append(rowRange(span.begin, span.end))
            }
        }
        if !lane.spans.isEmpty { device.lanes.append(lane) }
    }

    /// Returns the index of a call's track; adds the track if it does not exist.
    private mutating func track(of call: CallName?) -> Int {
        if let index = device.tracks.firstIndex(where: { $0.call == call }) { return index }
        device.tracks.append(Ladder.Track(call: call))
        return device.tracks.count - 1
    }

    private func rowRange(_ begin: Duration, _ end: Duration?) -> Ladder.RowRange {
        let last = rows.last?.at ?? .zero
        let from = row(at: begin)
        return Ladder.RowRange(
            from: from,
            to: max(from, end.map(row) ?? rows.count - 1),
            begin: begin,
            end: end ?? max(last, begin)
        )
    }

    /// Returns the first row at or after a time, or the one before if that row is not simultaneous.
    private func row(at time: Duration) -> Int {
        let next = lowerBound(time)
        guard next > 0 else { return 0 }
        guard next < rows.count, rows[next].at - time <= Ladder.simultaneityTolerance else { return next - 1 }
        return next
    }

    /// Returns the row of a notification that the device received at a time; nil: there is none.
    private func row(withMethod method: String, at time: Duration) -> Int? {
        var index = lowerBound(time - Ladder.simultaneityTolerance)
        while index < rows.count, rows[index].at <= time {
            let isIt = rows[index].arrows.contains {
                $0.device == self.index && $0.message.at == time && $0.message.method.hasSuffix(method)
            }
            if isIt { return index }
            index += 1
        }
        return nil
    }

    /// Returns the index of the first row that is not before a time.
    private func lowerBound(_ time: Duration) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].at < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
