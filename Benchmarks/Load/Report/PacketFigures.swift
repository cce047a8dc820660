/// The figures of every program with every load.
struct PacketFigures {
    /// The figures of one program with one load each.
    var measurements: [Measurement]

    /// Returns the program's CPU time a packet as a multiple of another's; nil if that was not measured at this load.
    func ratio(_ figures: Measurement, to name: String) -> Double? {
        measurements.first { $0.program == name && $0.load == figures.load && $0.program != figures.program }.map {
            figures.cpuMicrosecondsPerPacket / $0.cpuMicrosecondsPerPacket
        }
    }
}
