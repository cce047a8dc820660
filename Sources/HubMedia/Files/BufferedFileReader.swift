/// A buffered reader of a file, from front to back.
struct BufferedFileReader: ~Copyable {
    /// The file; messages contain its name.
    let file: FileDescriptor

    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var unread = 0..<0

    init(_ file: consuming FileDescriptor) {
        self.file = file
    }

    /// Reads up to `count` bytes; fewer only at the end of the file.
    mutating func read(upTo count: Int) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(min(count, 65_536))
        while bytes.count < count {
            if unread.isEmpty, try !refill() { break }
            let taken = unread.prefix(count - bytes.count)
            bytes.append(contentsOf: buffer[taken])
            unread = taken.upperBound..<unread.upperBound
        }
        return bytes
    }

    /// Skips `count` bytes; stops silently at the end of the file.
    mutating func skip(_ count: Int) throws(MediaError) {
        var rest = count
        while rest > 0 {
            if unread.isEmpty, try !refill() { return }
            let taken = min(rest, unread.count)
            unread = (unread.lowerBound + taken)..<unread.upperBound
            rest -= taken
        }
    }

    private mutating func refill() throws(MediaError) -> Bool {
        let count: Int
        do {
            count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(.inputOutput, "\(file.name) cannot be read: \(error)")
        }
        unread = 0..<count
        return count > 0
    }
}

extension [UInt8] {
    /// Returns a little-endian number of 16 bits; `nil` beyond the end.
    func littleEndian16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    /// Returns a little-endian number of 32 bits; `nil` beyond the end.
    func littleEndian32(at offset: Int) -> UInt32? {
        guard let low = littleEndian16(at: offset), let high = littleEndian16(at: offset + 2) else { return nil }
        return UInt32(low) | UInt32(high) << 16
    }

    /// Indicates that the bytes at an offset are these ASCII characters.
    func hasASCII(_ text: StaticString, at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { self[offset..<(offset + $0.count)].elementsEqual($0) }
    }

    /// Appends the bytes of a number in little-endian order.
    mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
