import Foundation

/// The fast Fourier transform, in place, for lengths that are powers of two.
struct Spectrum {
    var real: [Float]
    var imaginary: [Float]

    /// A signal that has not been transformed, padded with zeros to `count` samples, a power of two.
    init(_ signal: [Float], count: Int) {
        real = signal + [Float](repeating: 0, count: count - signal.count)
        imaginary = [Float](repeating: 0, count: count)
    }

    /// Transforms in place; with `inverse` back, scaled by the length.
    mutating func transform(inverse: Bool = false) {
        let count = real.count
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                Self.reorder(real, imaginary)
                var half = 1
                while half < count {
                    Self.combine(real, imaginary, half: half, sign: inverse ? 1 : -1)
                    half *= 2
                }
            }
        }
    }

    /// Multiplies by the conjugate of another spectrum, a step of cross-correlation.
    mutating func multiply(byConjugateOf other: Spectrum) {
        for index in real.indices {
            let (a, b) = (real[index], imaginary[index])
            let (c, d) = (other.real[index], other.imaginary[index])
            real[index] = a * c + b * d
            imaginary[index] = b * c - a * d
        }
    }

    private static func reorder(
        _ real: UnsafeMutableBufferPointer<Float>,
        _ imaginary: UnsafeMutableBufferPointer<Float>
    ) {
        var target = 0
        for index in 1..<real.count {
            var bit = real.count >> 1
            while target & bit != 0 {
                target ^= bit
                bit >>= 1
            }
            target |= bit
            if index < target {
                real.swapAt(index, target)
                imaginary.swapAt(index, target)
            }
        }
    }

    private static func combine(
        _ real: UnsafeMutableBufferPointer<Float>,
        _ imaginary: UnsafeMutableBufferPointer<Float>,
        half: Int,
        sign: Double
    ) {
        for offset in 0..<half {
            let angle = sign * Double.pi * Double(offset) / Double(half)
            let (c, s) = (Float(cos(angle)), Float(sin(angle)))
            var low = offset
            while low < real.count {
                let high = low + half
                let (x, y) = (real[high] * c - imaginary[high] * s, real[high] * s + imaginary[high] * c)
                real[high] = real[low] - x
                imaginary[high] = imaginary[low] - y
                real[low] += x
                imaginary[low] += y
                low += 2 * half
            }
        }
    }
}
