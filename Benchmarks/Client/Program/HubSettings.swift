package import BenchmarkSupport

/// The settings of a hub under test: its defaults, but for the limits that a benchmark is there to reach, and what it asks for.
package enum HubSettings {
    /// A configuration file with `more` beside the lifted limits, and a memory that ends with the hub, such as `server: { loops: 2 }`.
    package static func file(_ more: String = "") throws(BenchmarkError) -> AnonymousFile {
        let limits = "limits: { maximumConnections: 20000, overloadBusyShare: 1 }"
        // What a run leaves behind must not be read by the next.
        return try AnonymousFile("{ \(limits), storage: { path: \":memory:\" }, \(more) }\n")
    }
}
