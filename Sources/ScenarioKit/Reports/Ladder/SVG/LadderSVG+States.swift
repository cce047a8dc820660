/// The drawing of states with a duration: received voices, audio sessions, calls on hold.
extension LadderSVG {
    mutating func drawLanes() {
        for (index, device) in plan.ladder.devices.enumerated() {
            for (number, lane) in device.lanes.enumerated() {
                let x = plan.columns.devices[index].lanes[number]
                let name = plan.ladder.voices[lane.voice].name.onOneLine
                for span in lane.spans {
                    let box = plan.bar(span, x: x, width: LadderColumns.laneWidth)
                    let title = "\(device.name) hears \(name), \(times(span))"
                    out += rectangle(box, "voice \(appearance(ofVoice: lane.voice))", rounding: 2, title: title)
                }
            }
        }
    }

    mutating func drawTracks() {
        for (index, device) in plan.ladder.devices.enumerated() {
            for (number, track) in device.tracks.enumerated() {
                let x = plan.columns.devices[index].tracks[number]
                let name = track.call?.text.onOneLine ?? "no call"
                for (rowRanges, appearance, word) in [
                    (track.open, "open", "audio session"), (track.held, "held", "held"),
                ] {
                    for rowRange in rowRanges {
                        let box = plan.bar(rowRange, x: x, width: LadderColumns.trackWidth)
                        let title = "\(device.name), \(name): \(word), \(times(rowRange))"
                        out += rectangle(box, appearance, rounding: 2, title: title)
                    }
                }
            }
        }
    }

    func times(_ rowRange: Ladder.RowRange) -> String {
        "\(rowRange.begin.inSeconds) to \(rowRange.end.inSeconds) s"
    }

    /// Returns the CSS class of a voice's colour.
    func appearance(ofVoice number: Int) -> String {
        switch plan.ladder.voices[number] {
        case .party: "v\(number % Self.colours)"
        case .music: "music"
        case .tone: "tone"
        }
    }
}
