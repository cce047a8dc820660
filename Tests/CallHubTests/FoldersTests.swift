import Foundation
import HubTestSupport
import Testing

@testable import HubConfiguration

/// The data directory and the folder of the browser phone.
struct FoldersTests {
    @Test func `a node keeps its name, and each data directory has another one`() throws {
        let folder = try TemporaryFolder()
        let name = try DataDirectory(making: folder.path + "/deep/data").nodeName()
        #expect(NodeName.isValid(name))
        #expect(try DataDirectory(making: folder.path + "/deep/data").nodeName() == name)
        #expect(try DataDirectory(making: folder.path + "/other").nodeName() != name)
    }

    @Test func `a file at the path of the data directory is refused`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file")
        let inTheWay = #expect(throws: ServeError.self) { try DataDirectory(making: file) }
        #expect(inTheWay.map { "\($0)".contains("\(file) is a file") } == true)
        #expect(throws: ServeError.self) { try DataDirectory(making: file + "/below") }
    }

    @Test func `other users lose their write permission for the data directory`() throws {
        let folder = try TemporaryFolder()
        mkdir(folder.path + "/data", 0o700)
        chmod(folder.path + "/data", 0o777)
        _ = try DataDirectory(making: folder.path + "/data")
        var status = stat()
        stat(folder.path + "/data", &status)
        #expect(status.st_mode & 0o777 == 0o755)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a data directory of another user, or reached through another user's link, is refused`()
        throws
    {
        let folder = try TemporaryFolder()
        let (data, link) = (folder.path + "/data", folder.path + "/link")
        mkdir(data, 0o700)
        symlink("data", link)
        #expect(throws: Never.self, "a link of this user") { try DataDirectory(making: link).nodeName() }
        lchown(link, 54_321, 54_321)
        let error = #expect(throws: ServeError.self) { try DataDirectory(making: link) }
        let reason = "the link \(link) belongs to user 54321, who may point it elsewhere"
        #expect(error?.description == "the data directory \(link) cannot be used: \(reason); name another by --data.")
        chown(data, 54_321, 54_321)
        #expect(throws: ServeError.self) { try DataDirectory(making: data) }
    }

    @Test func `a symbolic link in place of the node name's file is not followed`() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret\n", to: "secret")
        mkdir(folder.path + "/data", 0o700)
        symlink(secret, folder.path + "/data/node")
        #expect(throws: ServeError.self) { try DataDirectory(making: folder.path + "/data").nodeName() }
    }

    @Test func `an invalid node name is refused`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("a\nb", to: "node")
        #expect(throws: ServeError.self) { try DataDirectory(making: folder.path).nodeName() }
    }

    @Test func `the default data directory is created if there is a home directory`() throws {
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

    @Test func `the web phone is found next to an installed program, or in its package`() throws {
        let folder = try TemporaryFolder()
        func found() -> String? {
            BrowserPhoneFolder.find(program: folder.path + "/tree/.build/x/callhub")
                .map { String($0.dropFirst(folder.path.count)) }
        }
        _ = try folder.write("", to: "tree/web-static/index.html")
        #expect(found() == nil, "the folder has no Package.swift")
        _ = try folder.write("", to: "tree/Package.swift")
        #expect(found() == "/tree/web-static")
        _ = try folder.write("", to: "tree/.build/share/callhub/web-static/other.html")
        #expect(found() == "/tree/web-static")
        _ = try folder.write("", to: "tree/.build/share/callhub/web-static/index.html")
        #expect(found() == "/tree/.build/share/callhub/web-static")
    }

    @Test func `a release build in its package uses the bundled phone unless a file has changed since`() throws {
        let folder = try TemporaryFolder()
        func found(_ build: String) -> String? {
            BrowserPhoneFolder.find(program: folder.path + "/.build/\(build)/callhub")
                .map { String($0.dropFirst(folder.path.count)) }
        }
        func change(_ path: String, secondsAgo: Double) throws {
            let date = Date(timeIntervalSinceNow: -secondsAgo)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path + path)
        }
        for name in ["Package.swift", "web-static/index.html", "web-static/phone/main.js"] {
            _ = try folder.write("", to: name)
        }
        #expect(found("release") == "/web-static")
        _ = try folder.write("", to: ".build/web-static/index.html")
        for name in ["", "/index.html", "/phone", "/phone/main.js"] {
            try change("/web-static" + name, secondsAgo: 100)
        }
        try change("/.build/web-static/index.html", secondsAgo: 50)
        #expect(found("release") == "/.build/web-static")
        #expect(found("debug") == "/web-static")
        try change("/web-static/phone/main.js", secondsAgo: 10)
        #expect(found("release") == "/web-static")
    }

    @Test func `another user's web phone, or one in the working directory, is not used`() throws {
        let folder = try TemporaryFolder()
        for name in ["web-static", "bin/web-static", "bin/.build/web-static", "bin/.build/x/web-static"] {
            _ = try folder.write("", to: name + "/index.html")
        }
        _ = try folder.write("", to: "Package.swift")
        #expect(BrowserPhoneFolder.find(program: folder.path + "/bin/callhub") == nil)
        #expect(BrowserPhoneFolder.find(program: folder.path + "/bin/.build/x/callhub") == nil)
        #expect(BrowserPhoneFolder.find(program: "callhub") == nil, "the program's place is not known")
        let package = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        #expect(BrowserPhoneFolder.find(program: package + "/.build/debug/callhub") == package + "/web-static")
    }
}
