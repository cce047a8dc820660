import CSodium

/// A secret in guarded memory of libsodium, wiped when it is deallocated.
///
/// Safe on any thread, since it is immutable.
final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeRawBufferPointer

    /// Copies a secret; the caller wipes the original.
    ///
    /// - Returns: Nil if no memory is left.
    init?(_ bytes: some Sequence<UInt8>, count: Int) {
        // At least one byte, so that there always is an address.
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

    /// Calls a closure with the bytes of the secret, which are valid only during the call.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(memory.assumingMemoryBound(to: UInt8.self))
    }
}
