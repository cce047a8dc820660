import CSodium

/// A secret in memory of libsodium's: apart from everything else, and wiped when nobody has it any more.
///
/// Safe on any thread: nothing changes it once it is made.
final class SecretMemory: @unchecked Sendable {
    private let memory: UnsafeRawBufferPointer

    /// Copies a secret; what it was copied from is its owner's to wipe.
    ///
    /// - Returns: Nil when there is no memory left.
    init?(_ bytes: some Sequence<UInt8>, count: Int) {
        // No piece of memory is empty, so that none is without an address.
        guard Sodium.isReady, let start = hub_sodium_secret(max(count, 1)) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer(start: start, count: max(count, 0))
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        for (index, byte) in bytes.prefix(buffer.count).enumerated() { buffer[index] = byte }
        memory = UnsafeRawBufferPointer(buffer)
    }

    deinit {
        hub_sodium_forget(UnsafeMutableRawPointer(mutating: memory.baseAddress))
    }

    var count: Int { memory.count }

    /// Lends the secret.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(memory.assumingMemoryBound(to: UInt8.self))
    }
}
