import CallKit
import Foundation

/// The app's call directory extension: blocks 1234, and labels 1111.
final class CallDirectoryHandler: CXCallDirectoryProvider {
    static let identifier = "com.example.hotline.directory"

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        if context.isIncremental {
            context.removeAllBlockingEntries()
            context.removeAllIdentificationEntries()
        }
        context.addBlockingEntry(withNextSequentialPhoneNumber: 1_234)
        context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_111, label: "Hotline Support")
        context.completeRequest()
    }
}
