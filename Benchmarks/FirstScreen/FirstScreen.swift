import BenchmarkSupport
import BrowserKit
import Dispatch
import HubTestSupport
import Synchronization

/// The times of a page's first screen over one path.
struct FirstScreen: Codable {
    /// A page of the hub.
    enum Page: String, Codable, CaseIterable {
        case phone
        case webRTC = "WebRTC page"

        /// The address below the hub's.
        var address: String { self == .phone ? "" : "tests/webrtc.html" }

        /// The JavaScript expression that is true when the page can be used.
        var isReady: String { self == .phone ? "document.querySelector(\"form input\")" : "globalThis.rtc" }
    }

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

    /// The page.
    let page: Page
    /// The way from the browser to the hub.
    let path: Path
    /// The milliseconds of each load, from the navigation to the first painted content.
    let milliseconds: [Double]

    /// The times of those loads.
    init(_ page: Page, _ path: Path, _ milliseconds: [Double]) {
        self.page = page
        self.path = path
        self.milliseconds = milliseconds
    }

    /// Opens the pages by turns, in fresh profiles with nothing cached.
    ///
    /// - Parameters:
    ///   - phone: The folder of the phone.
    ///   - path: The way to the hub.
    ///   - rounds: The number of loads of each page.
    /// - Returns: The times of each page.
    /// - Throws: `BenchmarkError` if there is no Chromium, no such folder, or no screen within 30 s.
    static func load(_ phone: String, _ path: Path, rounds: Int) throws(BenchmarkError) -> [FirstScreen] {
        let result = Mutex<Result<[FirstScreen], any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let loads: Result<[FirstScreen], any Error>
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

    private static func times(_ phone: String, _ path: Path, _ rounds: Int) async throws -> [FirstScreen] {
        let hub = try await BrowserHub(phone: phone)
        let link = try FaultyLink(to: hub.port)
        if path == .far {
            // Each connection carries one request, which comes after the handshake of TCP: one round trip more.
            link.setSlowness(.init(delay: .milliseconds(450) ... .milliseconds(450)), .toHub)
            link.setSlowness(.init(delay: .milliseconds(150) ... .milliseconds(150)), .fromHub)
        }
        let browser = try await Chromium()
        var times: [Page: [Double]] = [:]
        for _ in 1...rounds {
            for subject in Page.allCases {
                let page = try await browser.page()
                try await page.open("http://127.0.0.1:\(link.port)/\(subject.address)")
                try await page.wait(for: subject.isReady)
                let painted = "performance.getEntriesByName(\"first-contentful-paint\")[0]?.startTime"
                times[subject, default: []].append(try await page.wait(for: painted).number ?? .infinity)
                try await page.close()
            }
        }
        return Page.allCases.map { FirstScreen($0, path, times[$0] ?? []) }
    }
}
