import Foundation

/// Warnings on standard error: what an app does that an iPhone would not forgive.
enum Diagnostics {
    /// Writes one sentence.
    static func warn(_ sentence: String) {
        FileHandle.standardError.write(Data("CallSystem: \(sentence)\n".utf8))
    }
}
