import Foundation
import HubTestSupport
import Testing

/// Indicates that this machine allows network namespaces.
private let hasNamespaces: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["-rmnup", "--fork", "--mount-proc", "ip", "addr", "add", "192.168.77.5/24", "dev", "lo"]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}()

/// `callhub up` on a machine of its own: a network namespace with addresses, in which all ports are free.
@Suite(.enabled(if: hasNamespaces, "this machine allows no network namespaces"))
struct UpNetworkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a script of the shell on a machine with two addresses and a default route.
    ///
    /// In it `up` starts a hub in the background, and returns when it has printed all; `get` prints the answer of
    /// a host over https, whose certificate must be the hub's for that host.
    private func run(_ script: String) async throws -> String {
        let machine = """
            ip link set lo up
            ip addr add 192.168.77.5/24 dev lo
            ip addr add 2001:db8:77::5/64 dev lo nodad
            ip addr add 169.254.7.7/16 dev lo
            ip route add default dev lo
            hostname pc.example.org
            up() {
                mkfifo pipe
                "$@" '\(Program.path)' up --data data > pipe 2>&1 &
                hub=$!
                exec 3< pipe
                while read -r line <&3; do
                    echo "$line"
                    case $line in 'Its data is in '*) break;; 'callhub up: '*) break;; esac
                done
                rm pipe
            }
            get() {
                printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "$2" "$1" |
                    openssl s_client -quiet -verify_quiet -verify_return_error -CAfile data/certificates/authority.crt \\
                        -connect "$1:${3:-443}" $4 $5
            }
            plain() {
                exec 4<> "/dev/tcp/$1/$2"
                printf 'GET / HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "$1" >&4
                cat <&4
                exec 4>&-
            }

            """
        let program = try Program(
            [
                "-rmnup", "--fork", "--kill-child", "--mount-proc", "bash", "-c",
                machine + script + "\nkill $hub\nwait $hub\necho ended with $?",
            ],
            program: "/usr/bin/unshare",
            in: folder,
            withErrors: true
        )
        _ = await program.exitCode()
        return program.printed
    }

    @Test func `it prints each address of the machine, and answers there on the usual ports`() async throws {
        let printed = try await run(
            """
            up
            get 192.168.77.5 /healthz '' -verify_ip 192.168.77.5
            get '[2001:db8:77::5]' /v1/info '' -verify_ip 2001:db8:77::5
            plain 192.168.77.5 80
            """
        )
        #expect(
            printed.contains(
                """
                Others open one of these addresses:

                https://192.168.77.5
                https://[2001:db8:77::5]
                https://pc.example.org   if the network's DNS knows the name
                https://pc.local         if something here answers mDNS, as avahi-daemon does

                Each device trusts it once, at http://192.168.77.5/trust
                """
            ),
            "\(printed)"
        )
        #expect(printed.contains("HTTP/1.1 200") && printed.contains(#""setup":true"#), "\(printed)")
        #expect(printed.contains("Location: https://192.168.77.5/\r\n"), "\(printed)")
        #expect(printed.hasSuffix("ended with 0\n"), "\(printed)")
    }

    @Test func `the owner's link and the address of invite owner are those that others reach`() async throws {
        let printed = try await run(
            """
            up
            '\(Program.path)' invite owner --data data
            """
        )
        let link = ##/\nhttps://192\.168\.77\.5/#i=[A-Za-z0-9_-]{22}\n(\nIts data is in |Whoever opens this link)/##
        #expect(Set(printed.matches(of: link).map(\.1)).count == 2, "\(printed)")
    }

    @Test func `without a network it runs for this machine, and says that nobody else can reach it`() async throws {
        let printed = try await run(
            """
            ip route del default
            ip addr flush dev lo scope global
            ip addr flush dev lo scope link
            up
            get localhost /healthz '' -verify_hostname localhost
            """
        )
        #expect(
            printed.contains(
                "\nThis machine has no address in a network, so that nobody else can reach the server: connect it to a "
                    + "network, and start this again.\n"
            ),
            "\(printed)"
        )
        #expect(printed.contains("HTTP/1.1 200") && printed.hasSuffix("ended with 0\n"), "\(printed)")
    }

    @Test func `without the right for port 443 it takes 8443, and says so`() async throws {
        let printed = try await run(
            """
            up setpriv --bounding-set -net_bind_service --inh-caps -net_bind_service
            get 192.168.77.5 /healthz 8443 -verify_ip 192.168.77.5
            plain 192.168.77.5 8080
            """
        )
        #expect(printed.contains("\nhttps://192.168.77.5:8443\n"), "\(printed)")
        #expect(printed.contains("\nPort 443 needs a right that this user has not, so it is 8443;"), "\(printed)")
        #expect(printed.contains("at http://192.168.77.5:8080/trust"), "\(printed)")
        #expect(printed.contains("HTTP/1.1 200"), "\(printed)")
        #expect(printed.contains("Location: https://192.168.77.5:8443/\r\n"), "\(printed)")
    }

    @Test func `where another program has port 80 it is 8080, and one that has 443 is a sentence`() async throws {
        let printed = try await run(
            """
            '\(Program.path)' serve --listen '*:80' --allow-open --data other > other.txt 2>&1 &
            until grep -q 'listens on' other.txt; do sleep 0.05; done
            up
            plain 192.168.77.5 8080
            '\(Program.path)' up --data third
            echo then $?
            """
        )
        #expect(printed.contains("at http://192.168.77.5:8080/trust"), "\(printed)")
        #expect(printed.contains("Location: https://192.168.77.5/\r\n"), "\(printed)")
        #expect(printed.contains("callhub up: port 443 is taken by another program; stop it"), "\(printed)")
        #expect(printed.contains("\nthen 2\n"), "\(printed)")
    }

    @Test func `a data directory on a disk that is mounted read-only is one sentence`() async throws {
        let printed = try await run(
            """
            mkdir disk && mount -t tmpfs none disk && mkdir disk/data && mount -o remount,ro disk
            '\(Program.path)' up --data disk/data
            echo then $?
            '\(Program.path)' up --data disk/new
            hub=
            """
        )
        let sentence =
            "callhub up: the data directory disk/data may not be written by this user; name another by --data.\n"
        #expect(printed.hasPrefix(sentence + "then 2\n"), "\(printed)")
        #expect(printed.contains("the data directory disk/new cannot be created"), "\(printed)")
    }
}
