// Re-exports the types of calls and of the protocol, which every program that uses this module requires.
@_exported public import HubEngine
@_exported public import HubWire
