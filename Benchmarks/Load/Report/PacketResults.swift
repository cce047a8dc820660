/// The figures of every program with every load.
struct PacketResults {
    /// The figures of one program with one load each.
    var measurements: [Measurement]

    /// Returns the program's CPU time a packet as a multiple of another's; nil if that was not measured at this load.
    func ratio(_ figures: Measurement, to name: String) -> Double? {
        guard name != figures.program, let other = self.figures(of: name, figures.load) else { return nil }
        return figures.cpuMicrosecondsPerPacket / other.cpuMicrosecondsPerPacket
    }

    /// Returns the figures of a program with a load; nil if that was not measured.
    func figures(of name: String, _ load: Load) -> Measurement? {
        measurements.first { $0.program == name && $0.load == load }
    }
}
