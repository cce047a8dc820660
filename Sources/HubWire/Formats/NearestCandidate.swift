/// The candidate nearest to a misspelt word by edit distance; nil if none is near.
package func nearestCandidate(to word: String, in words: [String]) -> String? {
    let ranked = words.map { (word: $0, distance: editDistance(Array(word.utf8), Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.count / 3) ? best.word : nil
}

/// The edit distance: the number of bytes changed, added, left out, or swapped with their neighbour.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
        var row = [i + 1]
        for j in right.indices {
            let change = last[j] + (left[i] == right[j] ? 0 : 1)
            var best = min(change, last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                best = min(best, beforeLast[j - 1] + 1)
            }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[right.count]
}
