/// What waits to be done one after the other, for several at once: each has his turn, however much another one wants done.
struct FairQueue<Name: Hashable, Job> {
    private var lanes: [Name: [Job]] = [:]
    /// Those for whom something waits, whoever's turn is next first.
    private var order: [Name] = []
    /// How much waits in all.
    private(set) var count = 0

    /// Whether nothing waits.
    var isEmpty: Bool { count == 0 }

    /// How much waits for one of them.
    func count(of name: Name) -> Int { lanes[name]?.count ?? 0 }

    /// How much is done before what is added next for somebody, as long as nothing else is added.
    func countBefore(next name: Name) -> Int {
        let own = count(of: name)
        // In each round of turns until his own each of the others has one.
        return lanes.reduce(own) { $1.key == name ? $0 : $0 + min($1.value.count, own + 1) }
    }

    /// Adds what is to be done for somebody, behind what waits for him.
    mutating func append(_ job: Job, of name: Name) {
        if lanes[name] == nil { order.append(name) }
        lanes[name, default: []].append(job)
        count += 1
    }

    /// Takes out what is to be done next; nil: nothing waits.
    mutating func removeFirst() -> Job? {
        guard let name = order.first, let job = lanes[name]?.removeFirst() else { return nil }
        order.removeFirst()
        count -= 1
        if lanes[name]?.isEmpty == true { lanes[name] = nil } else { order.append(name) }
        return job
    }

    /// The number of jobs in the longest lane.
    var longestCount: Int { lanes.values.lazy.map(\.count).max() ?? 0 }

    /// Takes out the newest job of the longest lane, if that lane has more jobs than a number.
    ///
    /// - Parameter length: At least 0.
    /// - Returns: The job; nil: no lane is that long.
    mutating func removeLastOfLongest(over length: Int) -> Job? {
        guard let longest = order.max(by: { count(of: $0) < count(of: $1) }), count(of: longest) > length,
            let job = lanes[longest]?.popLast()
        else { return nil }
        count -= 1
        if lanes[longest]?.isEmpty == true {
            lanes[longest] = nil
            order.removeAll { $0 == longest }
        }
        return job
    }

    /// Takes out what need not be done any more.
    mutating func removeAll(where isUseless: (Job) -> Bool) {
        for name in order {
            lanes[name]?.removeAll(where: isUseless)
            if lanes[name]?.isEmpty == true { lanes[name] = nil }
        }
        order.removeAll { lanes[$0] == nil }
        count = lanes.values.reduce(0) { $0 + $1.count }
    }
}
