import BrowserKit
import Foundation

/// A program with an idle browser, which is killed: it prints the path of the browser's profile.
@main
enum Main {
    static func main() async throws {
        let browser = try await Chromium()
        FileHandle.standardOutput.write(Data((browser.profile + "\n").utf8))
        withExtendedLifetime(browser) { while true { pause() } }
    }
}
