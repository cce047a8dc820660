import HubMedia

/// A peak limiter: it turns sums of several sources into samples of 16 bits without clipping them.
///
/// The gain follows the peaks of blocks of 2.5 ms, of which a frame has eight, and falls before a peak is reached.
/// It rises by 3 dB a second at most, so that a loud word is followed by no audible swelling ("pumping").
struct Limiter {
    /// The gain at the end of the last frame, 0 to 1.
    private(set) var gain: Float = 1

    /// Limits one frame.
    ///
    /// - Parameters:
    ///   - sums: The sums, 960 of them.
    ///   - output: The samples, as many.
    mutating func limit(_ sums: UnsafeBufferPointer<Int32>, into output: UnsafeMutableBufferPointer<Int16>) {
        let blocks = sums.count / Self.block
        guard gain < 1 || Self.peak(of: sums) > Self.ceiling else {
            for index in sums.indices { output[index] = Int16(clamping: sums[index]) }
            return
        }
        var start = gain
        for block in 0..<blocks {
            let own = allowedGain(sums, block)
            // A gain is fixed where two blocks meet: neither of them may exceed the ceiling with it.
            let following = block + 1 < blocks ? allowedGain(sums, block + 1) : own
            let end = min(own, following, min(1, start * Self.rise))
            for index in 0..<Self.block {
                let place = block * Self.block + index
                let weight = start + (end - start) * Float(index) / Float(Self.block)
                output[place] = Int16(clamping: Int32(Float(sums[place]) * weight))
            }
            start = end
        }
        gain = start > Self.unity ? 1 : start
    }

    private func allowedGain(_ sums: UnsafeBufferPointer<Int32>, _ block: Int) -> Float {
        let part = UnsafeBufferPointer(rebasing: sums[(block * Self.block)..<((block + 1) * Self.block)])
        let peak = Self.peak(of: part)
        return peak > Self.ceiling ? Float(Self.ceiling) / Float(peak) : 1
    }

    private static func peak(of sums: UnsafeBufferPointer<Int32>) -> Int32 {
        var peak: Int32 = 0
        for sum in sums { peak = max(peak, abs(sum)) }
        return peak
    }

    private static let block = 120
    /// 1 dB below full scale: what a codec adds to a peak does not clip either.
    private static let ceiling: Int32 = 29_200
    /// 3 dB a second, by which the gain rises in a block of 2.5 ms.
    private static let rise: Float = 1.000_863
    /// From here on there is nothing to limit.
    private static let unity: Float = 0.999
}
