/// A round-robin queue with a lane for each client, so that a client with many jobs delays the others little.
struct FairQueue<Name: Hashable, Job> {
    private var lanes: [Name: [Job]] = [:]
    /// The clients with queued jobs, in the order of their turns.
    private var order: [Name] = []
    /// The number of queued jobs in all lanes.
    private(set) var count = 0

    /// Indicates that no job is queued.
    var isEmpty: Bool { count == 0 }

    /// The number of queued jobs of one client.
    func count(of name: Name) -> Int { lanes[name]?.count ?? 0 }

    /// The number of jobs that run before the next one of a client, if nothing else is added.
    func countBefore(next name: Name) -> Int {
        let own = count(of: name)
        // In each round until its own turn, every other client has one turn.
        return lanes.reduce(own) { $1.key == name ? $0 : $0 + min($1.value.count, own + 1) }
    }

    /// Adds a job to the end of a client's lane.
    mutating func append(_ job: Job, of name: Name) {
        if lanes[name] == nil { order.append(name) }
        lanes[name, default: []].append(job)
        count += 1
    }

    /// Removes and returns the next job; nil: none is queued.
    mutating func removeFirst() -> Job? {
        guard let name = order.first, let job = lanes[name]?.removeFirst() else { return nil }
        order.removeFirst()
        count -= 1
        if lanes[name]?.isEmpty == true { lanes[name] = nil } else { order.append(name) }
        return job
    }

    /// The number of jobs in the longest lane.
    var longestCount: Int { lanes.values.lazy.map(\.count).max() ?? 0 }

    /// Removes the newest job of the longest lane, if that lane has more than a given number of jobs.
    ///
    /// - Parameter length: The number of jobs that the lane must exceed, at least 0.
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

    /// Removes the jobs that satisfy a condition.
    mutating func removeAll(where isUseless: (Job) -> Bool) {
        for name in order {
            lanes[name]?.removeAll(where: isUseless)
            if lanes[name]?.isEmpty == true { lanes[name] = nil }
        }
        order.removeAll { lanes[$0] == nil }
        count = lanes.values.reduce(0) { $0 + $1.count }
    }
}
