import BrowserKit
import Foundation

/// A program that has a browser, and does nothing with it until it is killed: it says where the browser's profile is.
@main
enum Main {
    static func main() async throws {
        let browser = try await Chromium()
        FileHandle.standardOutput.write(Data((browser.profile + "\n").utf8))
        withExtendedLifetime(browser) { while true { pause() } }
    }
}
