// A program that speaks to a hub needs the words of calls and of the wire: one import brings them.
@_exported public import HubEngine
@_exported public import HubWire
