import HubAccountData

/// The entries of one load of a call directory.
struct DirectoryEntries: Sendable {
    var isIncremental = false
    var blocking: [Int64] = []
    var identification: [DirectoryEntry] = []
    var removeBlocking: [Int64] = []
    var removeIdentification: [Int64] = []
    var removesAllBlocking = false
    var removesAllIdentification = false

    /// Returns the messages of the load, each within the limit of the hub's messages.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the extension.
    ///   - maximumBytes: The approximate limit of a message's entries in bytes.
    /// - Returns: The batches in their order, at least one.
    func batches(_ identifier: String, maximumBytes: Int) -> [DirectoryLoad] {
        var batches = [DirectoryLoad(identifier, isIncremental: isIncremental)]
        batches[0].removesAllBlocking = removesAllBlocking
        batches[0].removesAllIdentification = removesAllIdentification
        var bytes = 0
        func add(_ count: Int, _ change: (inout DirectoryLoad) -> Void) {
            bytes += count
            if bytes > maximumBytes {
                var next = DirectoryLoad(identifier, isIncremental: isIncremental)
                next.batch = batches.count + 1
                batches[batches.count - 1].isFinal = false
                batches.append(next)
                bytes = count
            }
            change(&batches[batches.count - 1])
        }
        for number in removeBlocking { add(Self.numberBytes) { $0.removeBlocking.append(number) } }
        for number in removeIdentification { add(Self.numberBytes) { $0.removeIdentification.append(number) } }
        for number in blocking { add(Self.numberBytes) { $0.blocking.append(number) } }
        for entry in identification {
            // A character may take six bytes in JSON.
            add(2 * Self.numberBytes + 6 * entry.label.utf8.count) { $0.identification.append(entry) }
        }
        return batches
    }

    /// The bytes of a number and a comma, at most.
    private static let numberBytes = 20
}
