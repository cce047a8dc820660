/// The hub's behaviour where it goes beyond CallKit, one sentence each.
let ownTable = """
    CH-01 Each member of a group's conversation is told who else is in it, but not by name if `isNamedInGroups` is off.
    CH-02 A call can be declined with a text; the caller alone is shown it, and only at the end of the call.
    CH-03 Sessions of an account that name one machine have one active call together, as applications on a telephone.
    CH-04 A session may operate another device of its account: it sees its calls, and its requests are performed there.
    CH-05 An attended transfer connects the other parties of two calls at once, shows both the transferor, and frees the device.
    CH-06 A blind transfer frees the device at once; a call that its target does not take rings the transferor again.
    CH-07 A guest transfers nobody, and is transferred to accounts of the house alone.
    CH-08 With `acceptsTransferredStrangers` off, no transfer connects an account with somebody who is not a contact.
    CH-09 Whoever is held, and receives nobody else, hears what the holder or the hub has chosen: silence, a tone or music.
    CH-10 A client that wants a mix gets one stream of exactly the others from three parties on, and with two their packets.
    """
