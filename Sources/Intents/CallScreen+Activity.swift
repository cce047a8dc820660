public import CallSystem
public import Foundation

extension CallScreen {
    /// Makes the activity that an app is given when its user wants a call outside of it, such as by a tap in Recents.
    ///
    /// - Parameter interaction: The interaction with an intent to start a call.
    /// - Returns: The activity, for the app's own method that continues activities.
    public func activity(for interaction: INInteraction) -> NSUserActivity {
        NSUserActivity(interaction: interaction)
    }

    /// Makes the activity of a link that the device's user has opened (rows CK-72 and CK-73).
    ///
    /// - Parameters:
    ///   - link: `callhub:bob`, `callhub:phoneNumber:+493012345`, `tel:+493012345` or `mailto:x@example.org`.
    ///   - isVideo: True for a call with video.
    /// - Returns: The activity; nil: the link is another one, such as of a scheme of the app's own.
    public func activity(for link: URL, isVideo: Bool = false) -> NSUserActivity? {
        guard let handle = CallableHandle(link: link.absoluteString) else { return nil }
        return activity(INPerson(handle), record: .unknown, isVideo: isVideo)
    }

    /// Makes the activity of a tap on a call in Recents, which calls the other party again.
    ///
    /// - Parameter call: One of ``CallSystem/CallScreen/recents()``.
    /// - Returns: The activity; nil: nobody knows the other party.
    public func activity(for call: RecentScreenCall) -> NSUserActivity? {
        guard let handle = call.handle else { return nil }
        let record: INCallRecordType =
            call.isOutgoing ? .outgoing : call.isMissed ? .missed : .received
        return activity(INPerson(handle, name: call.name), record: record, isVideo: call.hasVideo)
    }

    /// Makes the activity of a tap on a contact's handle.
    ///
    /// - Parameters:
    ///   - contact: One of ``CallSystem/CallScreen/contacts()``.
    ///   - handle: One of the contact's handles; nil: the first one.
    ///   - isVideo: True for a call with video.
    /// - Returns: The activity; nil: the contact has no handle.
    public func activity(
        for contact: ScreenContact,
        at handle: CallableHandle? = nil,
        isVideo: Bool = false
    ) -> NSUserActivity? {
        guard let handle = handle ?? contact.handles.first else { return nil }
        let person = INPerson(handle, name: contact.name, contactIdentifier: contact.identifier)
        return activity(person, record: .unknown, isVideo: isVideo)
    }

    private func activity(_ person: INPerson, record: INCallRecordType, isVideo: Bool) -> NSUserActivity {
        let intent = INStartCallIntent(
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: [person],
            recordTypeForRedialing: record,
            callCapability: isVideo ? .videoCall : .audioCall
        )
        return activity(for: INInteraction(intent: intent, response: nil))
    }
}

extension INPerson {
    fileprivate convenience init(_ handle: CallableHandle, name: String? = nil, contactIdentifier: String? = nil) {
        let type: INPersonHandleType =
            switch handle.type {
            case .generic: .unknown
            case .phoneNumber: .phoneNumber
            case .emailAddress: .emailAddress
            }
        self.init(
            personHandle: INPersonHandle(value: handle.value, type: type),
            nameComponents: nil,
            displayName: name,
            image: nil,
            contactIdentifier: contactIdentifier,
            customIdentifier: nil
        )
    }
}
