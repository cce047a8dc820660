import CallKit
import Foundation

/// The app's call directory extension.
class CallDirectoryHandler: CXCallDirectoryProvider {
    static let identifier = "com.example.calls.directory"

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        context.delegate = self
        if context.isIncremental {
            context.removeAllBlockingEntries()
            context.removeAllIdentificationEntries()
        }
        let blocked: [CXCallDirectoryPhoneNumber] = [1_234, 18_775_555_555]
        for number in blocked {
            context.addBlockingEntry(withNextSequentialPhoneNumber: number)
        }
        let labels: KeyValuePairs<CXCallDirectoryPhoneNumber, String> = [1_111: "Telemarketer", 18_885_555_555: "Bank"]
        for (number, label) in labels {
            context.addIdentificationEntry(withNextSequentialPhoneNumber: number, label: label)
        }
        context.completeRequest()
    }
}

extension CallDirectoryHandler: CXCallDirectoryExtensionContextDelegate {
    func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: Error) {
        print("The directory was not loaded: \(error.localizedDescription)")
    }
}
