package import BenchmarkSupport

/// The settings of a hub under test: the defaults, with the limits that a benchmark is there to reach lifted.
package enum HubSettings {
    /// Returns a configuration file with lifted limits, an in-memory database, and `more`.
    ///
    /// `more` holds further settings in the file's syntax, such as `server: { loops: 2 }`.
    package static func file(_ more: String = "") throws(BenchmarkError) -> AnonymousFile {
        let limits = "limits: { maximumConnections: 20000, overloadBusyShare: 1 }"
        // A run must not read the data of the run before it.
        return try AnonymousFile("{ \(limits), storage: { path: \":memory:\" }, \(more) }\n")
    }
}
