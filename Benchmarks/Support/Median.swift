/// Returns the middle value, or the mean of the two middle ones; 0 for none.
package func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else {
        return 0
    }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
