import Glibc

/// Turns sound of any usual rate into another, by a windowed-sinc filter that runs along the stream.
///
/// The place in the input is kept as a whole-number fraction, so that hours of sound do not drift by a sample. Equal rates
/// pass through untouched. The filter's delay is taken away: output sample 0 belongs to input sample 0.
public struct Resampler: Sendable {
    /// The rates that are accepted, in samples a second.
    public static let acceptedRates = 4_000...384_000

    private let inputRate: Int
    private let outputRate: Int
    /// Input samples on each side of the place that the filter looks at.
    private let reach: Int
    private let table: [Float]
    /// Input samples not yet passed, the first `reach - 1` of them being history.
    private var pending: [Float]
    /// Where the next output sample lies after `pending[reach - 1]`, in input samples times `outputRate`.
    private var place = 0
    private var consumed = 0
    private var produced = 0

    /// Makes a resampler at the start of a stream.
    ///
    /// - Parameters:
    ///   - inputRate: Samples a second of what comes in, 4,000 to 384,000.
    ///   - outputRate: Samples a second of what goes out, 48,000 in all of CallHub.
    /// - Throws: ``MediaError`` with code `unsupportedFormat` for a rate outside.
    public init(from inputRate: Int, to outputRate: Int = AudioFormat.samplesPerSecond) throws(MediaError) {
        for rate in [inputRate, outputRate] where !Self.acceptedRates.contains(rate) {
            throw MediaError(
                .unsupportedFormat,
                "the sample rate is \(rate); it must be from \(Self.acceptedRates.lowerBound) to \(Self.acceptedRates.upperBound)"
            )
        }
        self.inputRate = inputRate
        self.outputRate = outputRate
        // Going down, the filter is widened so that it also keeps out what the lower rate cannot hold.
        let cutoff = min(1, Double(outputRate) / Double(inputRate))
        reach = Int((Double(Self.zeroCrossings) / cutoff).rounded(.up))
        table = inputRate == outputRate ? [] : Self.makeTable(reach: reach, cutoff: cutoff * Self.passband)
        pending = [Float](repeating: 0, count: reach - 1)
    }

    /// Takes the next piece of the stream and appends what can be told of the output so far.
    ///
    /// - Parameters:
    ///   - input: The next samples, any number.
    ///   - output: Where the resampled sound is appended.
    public mutating func process(_ input: [Float], into output: inout [Float]) {
        guard inputRate != outputRate else {
            output.append(contentsOf: input)
            return
        }
        consumed += input.count
        pending.append(contentsOf: input)
        run(into: &output)
    }

    /// Appends the rest of the output once the input has ended.
    ///
    /// - Parameter output: Where the resampled sound is appended; in all it gets the input's duration, rounded up.
    public mutating func finish(into output: inout [Float]) {
        guard inputRate != outputRate else { return }
        let total = (consumed * outputRate + inputRate - 1) / inputRate
        pending.append(contentsOf: repeatElement(0, count: reach + 1))
        let before = output.count
        let missing = total - produced
        run(into: &output)
        output.removeLast(max(0, output.count - before - missing))
    }

    private mutating func run(into output: inout [Float]) {
        let width = 2 * reach
        var start = 0
        pending.withUnsafeBufferPointer { samples in
            table.withUnsafeBufferPointer { table in
                while true {
                    let whole = place / outputRate
                    guard start + whole + width <= samples.count else { break }
                    start += whole
                    place -= whole * outputRate
                    // Between two rows of the table the filter is a straight line: below -100 dB of error.
                    let row = Double(place) / Double(outputRate) * Double(Self.rows)
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
                    place += inputRate
                }
            }
        }
        let passed = min(start, pending.count)
        pending.removeFirst(passed)
    }

    /// Computes the filter for `rows + 1` places between two input samples.
    private static func makeTable(reach: Int, cutoff: Double) -> [Float] {
        let width = 2 * reach
        var table = [Float]()
        table.reserveCapacity((rows + 1) * width)
        for row in 0...rows {
            let place = Double(row) / Double(rows)
            let weights = (0..<width).map { tap in
                // Tap `reach - 1` is the input sample at or before the place.
                let distance = Double(tap - (reach - 1)) - place
                return sinc(distance * cutoff) * kaiser(distance / Double(reach))
            }
            // Each row is made to pass a constant unchanged.
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

    /// The modified Bessel function of order zero, by its series.
    private static func bessel(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for step in 1...30 {
            term *= (x / 2 / Double(step)) * (x / 2 / Double(step))
            sum += term
        }
        return sum
    }

    /// More keeps more of the highest tones and costs more work per sample.
    private static let zeroCrossings = 24
    /// Places between two input samples; more lowers the error of the straight line and takes memory.
    private static let rows = 512
    /// The share of the band that passes; more keeps higher tones and lets more aliases through.
    private static let passband = 0.94
    /// The Kaiser window's shape: 9 leaves about -90 dB outside; more is quieter there and blunter at the edge.
    private static let kaiserShape = 9.0
}
