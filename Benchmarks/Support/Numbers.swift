/// Parses the value of an option: numbers within a range, separated by commas.
package func numbers(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(BenchmarkError) -> [Int] {
    var numbers: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        numbers.append(try number(String(part), name, range))
    }
    return numbers
}

/// Parses the value of an option: a number within a range.
package func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(BenchmarkError) -> Int {
    guard let number = Int(text), range.contains(number) else {
        let limits = "from \(range.lowerBound) to \(range.upperBound)"
        throw BenchmarkError("\(name) is \"\(text)\"; it must be a number \(limits)")
    }
    return number
}
