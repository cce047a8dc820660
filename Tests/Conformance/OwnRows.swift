/// The hub's behaviour where it goes beyond CallKit, one sentence each.
let ownTable = """
    CH-01 Each member of a group's conversation is told who else is in it, and whoever does not want it is not named.
    CH-02 A call can be declined with a text; the caller alone is shown it, and only at the end of the call.
    """
