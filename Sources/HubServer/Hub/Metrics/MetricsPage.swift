/// A page in the Prometheus text exposition format, version 0.0.4, while it is written.
///
/// Each family is written once, with its help text and type in front.
struct MetricsPage {
    /// The page so far.
    private(set) var text = ""

    /// A value of a family, with the labels that distinguish it from the others.
    struct Sample {
        var labels: [(name: String, value: String)] = []
        var value: Double

        /// Makes a sample of an integer.
        init(_ labels: [(name: String, value: String)] = [], _ value: some BinaryInteger) {
            self.labels = labels
            self.value = Double(value)
        }

        /// Makes a sample that is not an integer.
        init(_ labels: [(name: String, value: String)] = [], seconds: Double) {
            self.labels = labels
            value = seconds
        }
    }

    /// Writes a gauge with several samples.
    mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
        family(name, help, "gauge", samples)
    }

    /// Writes a gauge with one value.
    mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
        gauge(name, help, [Sample([], value)])
    }

    /// Writes a counter with several samples; its name ends in `_total`.
    mutating func counter(_ name: String, _ help: String, _ samples: [Sample]) {
        family(name, help, "counter", samples)
    }

    /// Writes a counter with one value; its name ends in `_total`.
    mutating func counter(_ name: String, _ help: String, _ value: some BinaryInteger) {
        counter(name, help, [Sample([], value)])
    }

    /// Writes a histogram of durations; its name ends in `_seconds`.
    mutating func histogram(_ name: String, _ help: String, _ histogram: LatencyHistogram) {
        begin(name, help, "histogram")
        var count: UInt64 = 0
        for index in histogram.counts.indices {
            count &+= histogram.counts[index]
            let bounds = LatencyHistogram.bounds
            let bound = index < bounds.count ? Self.number(Double(bounds[index]) / 1_000_000_000) : "+Inf"
            text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
        }
        text += "\(name)_sum \(Self.number(Double(histogram.sum) / 1_000_000_000))\n\(name)_count \(count)\n"
    }

    private mutating func family(_ name: String, _ help: String, _ type: String, _ samples: [Sample]) {
        begin(name, help, type)
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(sample.value))\n"
        }
    }

    private mutating func begin(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// Formats a number; integers without a point, as long as they are exact.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
