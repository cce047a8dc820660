import Dispatch
import Testing

@testable import CallSystem

/// The callbacks of an app that goes away, which nobody may wait for.
struct CallbackMailboxTests {
    private let activity = ActivityCounter()
    private let queue = DispatchQueue(label: "CallbackMailboxTests")

    private func mailbox(_ target: DispatchQueue) -> CallbackMailbox {
        CallbackMailbox(target, CallbackRunner(queue: queue, activity: activity) { $0() })
    }

    @Test(.timeLimit(.minutes(1))) func `callbacks that wait for an acceptance are no activity once they are dropped`()
        async
    {
        queue.sync {
            let mailbox = mailbox(.global())
            mailbox.hold()
            for _ in 0..<3 { mailbox.post {} }
        }
        await activity.settle()
    }

    @Test(.timeLimit(.minutes(1))) func `callbacks behind one that runs are no activity once they are dropped`() async {
        let target = DispatchQueue(label: "an app's queue")
        target.suspend()
        queue.sync {
            let mailbox = mailbox(target)
            for _ in 0..<3 { mailbox.post {} }
        }
        target.resume()
        await activity.settle()
    }
}
