// Re-exports the microphones and receivers of a device, which its settings name.
@_exported public import CallAudio
