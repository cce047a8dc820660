public import CallSystem

extension CallScreen {
    /// Makes the activity that an app is given when its user wants a call outside of it, such as by a tap in Recents.
    ///
    /// - Parameter interaction: The interaction with an intent to start a call.
    /// - Returns: The activity, for the app's own method that continues activities.
    public func activity(for interaction: INInteraction) -> NSUserActivity {
        NSUserActivity(interaction: interaction)
    }
}
