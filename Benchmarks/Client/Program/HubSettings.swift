package import BenchmarkSupport

/// The settings of a hub under test: its defaults, but for the limits that a benchmark is there to reach, and what it asks for.
package enum HubSettings {
    /// A configuration file with `more` beside the lifted limits, such as `server: { loops: 2 }`.
    package static func file(_ more: String = "") throws(BenchmarkError) -> AnonymousFile {
        try AnonymousFile("{ limits: { maximumConnections: 20000, overloadBusyShare: 1 }, \(more) }\n")
    }
}
