import Glibc

/// A sample rate converter: a windowed-sinc filter that runs along the stream.
///
/// The position in the input is an exact fraction, so that hours of audio do not drift by a sample. Equal rates pass
/// unchanged. The filter's delay is removed: output sample 0 belongs to input sample 0.
public struct Resampler: Sendable {
    /// The accepted sample rates in Hz.
    public static let acceptedRates = 4_000...384_000

    private let inputRate: Int
    private let outputRate: Int
    /// The number of input samples on each side of the position that the filter uses.
    private let kernelHalfWidth: Int
    private let table: [Float]
    /// The input samples not yet passed, the first `kernelHalfWidth - 1` of them being history.
    private var pending: [Float]
    /// The distance of the next output sample from `pending[kernelHalfWidth - 1]`, in input samples times `outputRate`.
    private var phase = 0
    private var consumed = 0
    private var produced = 0

    /// Creates a resampler at the start of a stream.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in Hz, 4,000 to 384,000.
    ///   - outputRate: The sample rate of the output in Hz, 48,000 in all of CallHub.
    /// - Throws: ``MediaError`` with code `unsupportedFormat` for a rate outside its range.
    public init(from inputRate: Int, to outputRate: Int = AudioFormat.samplesPerSecond) throws(MediaError) {
        for rate in [inputRate, outputRate] where !Self.acceptedRates.contains(rate) {
            throw MediaError(
                .unsupportedFormat,
                "the sample rate is \(rate); it must be from \(Self.acceptedRates.lowerBound) to \(Self.acceptedRates.upperBound)"
            )
        }
        self.inputRate = inputRate
        self.outputRate = outputRate
        // Downwards, the filter is wider, so that it also removes the frequencies that the lower rate cannot represent.
        let cutoff = min(1, Double(outputRate) / Double(inputRate))
        kernelHalfWidth = Int((Double(Self.zeroCrossings) / cutoff).rounded(.up))
        table =
            inputRate == outputRate
            ? [] : Self.makeTable(kernelHalfWidth: kernelHalfWidth, cutoff: cutoff * Self.passband)
        pending = [Float](repeating: 0, count: kernelHalfWidth - 1)
    }

    /// Processes the next samples of the stream and appends the output that they determine.
    ///
    /// - Parameters:
    ///   - input: The next samples, any number.
    ///   - output: The array to which the resampled audio is appended.
    public mutating func process(_ input: [Float], into output: inout [Float]) {
        guard inputRate != outputRate else {
            output.append(contentsOf: input)
            return
        }
        consumed += input.count
        pending.append(contentsOf: input)
        run(into: &output)
    }

    /// Appends the rest of the output after the end of the input.
    ///
    /// - Parameter output: The array to which the audio is appended; in all it gets the input's duration, rounded up.
    public mutating func finish(into output: inout [Float]) {
        guard inputRate != outputRate else { return }
        let total = (consumed * outputRate + inputRate - 1) / inputRate
        pending.append(contentsOf: repeatElement(0, count: kernelHalfWidth + 1))
        let before = output.count
        let missing = total - produced
        run(into: &output)
        output.removeLast(max(0, output.count - before - missing))
    }

    private mutating func run(into output: inout [Float]) {
        let width = 2 * kernelHalfWidth
        var start = 0
        pending.withUnsafeBufferPointer { samples in
            table.withUnsafeBufferPointer { table in
                while true {
                    let whole = phase / outputRate
                    guard start + whole + width <= samples.count else { break }
                    start += whole
                    phase -= whole * outputRate
                    // Between two rows of the table the filter is interpolated linearly: an error below -100 dB.
                    let row = Double(phase) / Double(outputRate) * Double(Self.rows)
                    let lower = Int(row)
                    let part = Float(row - Double(lower))
                    let first = lower * width
                    var sum: Float = 0
                    for tap in 0..<width {
                        let near = table[first + tap]
                        sum += samples[start + tap] * (near + part * (table[first + width + tap] - near))
                    }
                    output.append(sum)
                    produced += 1
                    phase += inputRate
                }
            }
        }
        let passed = min(start, pending.count)
        pending.removeFirst(passed)
    }

    /// Computes the filter for `rows + 1` positions between two input samples.
    private static func makeTable(kernelHalfWidth: Int, cutoff: Double) -> [Float] {
        let width = 2 * kernelHalfWidth
        var table = [Float]()
        table.reserveCapacity((rows + 1) * width)
        for row in 0...rows {
            let phase = Double(row) / Double(rows)
            let weights = (0..<width).map { tap in
                // Tap `kernelHalfWidth - 1` is the input sample at or before the position.
                let distance = Double(tap - (kernelHalfWidth - 1)) - phase
                return sinc(distance * cutoff) * kaiser(distance / Double(kernelHalfWidth))
            }
            // Each row is normalised, so that it passes a constant unchanged.
            let sum = weights.reduce(0, +)
            table.append(contentsOf: weights.map { Float($0 / sum) })
        }
        return table
    }

    private static func sinc(_ x: Double) -> Double {
        abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)
    }

    private static func kaiser(_ x: Double) -> Double {
        abs(x) >= 1 ? 0 : bessel(kaiserShape * (1 - x * x).squareRoot()) / bessel(kaiserShape)
    }

    /// Computes the modified Bessel function of order zero, by its series.
    private static func bessel(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for step in 1...30 {
            term *= (x / 2 / Double(step)) * (x / 2 / Double(step))
            sum += term
        }
        return sum
    }

    /// More: more of the highest frequencies pass; more work for each sample.
    private static let zeroCrossings = 24
    /// The number of positions between two input samples; more: a smaller interpolation error, more memory.
    private static let rows = 512
    /// The share of the band that passes; more: higher frequencies pass, and more aliases too.
    private static let passband = 0.94
    /// The Kaiser window's shape: 9 leaves about -90 dB outside; more: quieter outside, a less steep edge.
    private static let kaiserShape = 9.0
}
