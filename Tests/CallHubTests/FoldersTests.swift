import Foundation
import HubTestSupport
import Testing

@testable import callhub

/// The data directory and the folder of the browser phone.
struct FoldersTests {
    @Test func `a node keeps its name`() throws {
        let folder = try TemporaryFolder()
        let name = try DataDirectory(making: folder.path + "/deep/data").nodeName()
        #expect(SettingsTable.isNodeName(name))
        #expect(try DataDirectory(making: folder.path + "/deep/data").nodeName() == name)
        #expect(try DataDirectory(making: folder.path + "/other").nodeName() != name)
    }

    @Test func `a file in the place of the data directory is refused`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file")
        #expect(throws: ServeError.self) { try DataDirectory(making: file) }
        #expect(throws: ServeError.self) { try DataDirectory(making: file + "/below") }
    }

    @Test func `a name that is none is not told to clients`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("a\nb", to: "node")
        #expect(throws: ServeError.self) { try DataDirectory(making: folder.path).nodeName() }
    }

    @Test func `the default data directory is made, where there is a home`() throws {
        let folder = try TemporaryFolder()
        let environment = ["HOME": folder.path]
        #expect(try DataDirectory(defaultOf: [:]) == nil)
        _ = try folder.write("here\n", to: ".local/share/callhub/node")
        #expect(try DataDirectory(defaultOf: environment)?.nodeName() == "here")
        let made = ["HOME": folder.path + "/other"]
        #expect(try DataDirectory(defaultOf: made)?.path == folder.path + "/other/.local/share/callhub")
        _ = try folder.write("there\n", to: "xdg/callhub/node")
        let xdg = environment.merging(["XDG_DATA_HOME": folder.path + "/xdg"]) { $1 }
        #expect(try DataDirectory(defaultOf: xdg)?.nodeName() == "there")
    }

    @Test func `the web phone is found where it is worked on, installed, or built`() throws {
        let folder = try TemporaryFolder()
        func found() -> String? {
            WebPhoneFolder.find(
                workingDirectory: folder.path + "/here",
                program: folder.path + "/tree/.build/x/callhub"
            )
            .map { String($0.dropFirst(folder.path.count)) }
        }
        #expect(found() == nil)
        _ = try folder.write("", to: "tree/web-static/index.html")
        #expect(found() == "/tree/web-static")
        _ = try folder.write("", to: "tree/.build/share/callhub/web-static/index.html")
        #expect(found() == "/tree/.build/share/callhub/web-static")
        _ = try folder.write("", to: "here/web-static/other.html")
        #expect(found() == "/tree/.build/share/callhub/web-static")
        _ = try folder.write("", to: "here/web-static/index.html")
        #expect(found() == "/here/web-static")
    }
}
