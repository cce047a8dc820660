import BenchmarkSupport
import BrowserKit
import Dispatch
import HubTestSupport
import Synchronization

/// The times of the first screen over one path.
struct FirstScreen: Codable {
    /// The way from the browser to the hub.
    enum Path: String, Codable, CaseIterable {
        case local = "on this machine"
        case far = "300 ms round trip"

        /// The most milliseconds until the first screen.
        var limit: Double {
            switch self {
            case .local: 600
            case .far: 1_800
            }
        }
    }

    /// The way from the browser to the hub.
    let path: Path
    /// The milliseconds of each load, from the navigation to the first painted content.
    let milliseconds: [Double]

    /// The times of those loads.
    init(_ path: Path, _ milliseconds: [Double]) {
        self.path = path
        self.milliseconds = milliseconds
    }

    /// Opens the phone in fresh profiles, one after the other, with nothing cached.
    ///
    /// - Parameters:
    ///   - phone: The folder of the phone.
    ///   - path: The way to the hub.
    ///   - rounds: The number of loads.
    /// - Returns: The milliseconds of each load.
    /// - Throws: `BenchmarkError` if there is no Chromium, no such folder, or no screen within 30 s.
    static func load(_ phone: String, _ path: Path, rounds: Int) throws(BenchmarkError) -> [Double] {
        let result = Mutex<Result<[Double], any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let loads: Result<[Double], any Error>
            do { loads = .success(try await times(phone, path, rounds)) } catch { loads = .failure(error) }
            result.withLock { $0 = loads }
            isDone.signal()
        }
        isDone.wait()
        switch result.withLock({ $0 }) {
        case .success(let times): return times
        case .failure(let error): throw BenchmarkError("\(error)")
        case nil: throw BenchmarkError("nothing was measured")
        }
    }

    private static func times(_ phone: String, _ path: Path, _ rounds: Int) async throws -> [Double] {
        let hub = try await BrowserHub(phone: phone)
        let link = try FaultyLink(to: hub.port)
        if path == .far {
            // Each connection carries one request, which comes after the handshake of TCP: one round trip more.
            link.setSlowness(.init(delay: .milliseconds(450) ... .milliseconds(450)), .toHub)
            link.setSlowness(.init(delay: .milliseconds(150) ... .milliseconds(150)), .fromHub)
        }
        let browser = try await Chromium()
        var times: [Double] = []
        for _ in 1...rounds {
            let page = try await browser.page()
            try await page.open("http://127.0.0.1:\(link.port)/")
            try await page.wait(for: "document.querySelector(\"form input\")")
            let painted = "performance.getEntriesByName(\"first-contentful-paint\")[0]?.startTime"
            times.append(try await page.wait(for: painted).number ?? .infinity)
            try await page.close()
        }
        return times
    }
}
