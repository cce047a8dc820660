// The functions of libopus that the browser phone calls, for WebAssembly: web-static/audio/wasm/coders.js loads them.
// An instance is one encoder or one decoder, mono at 48 kHz. Its state and buffers are static: nothing is allocated.

#include <opus.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum {
    RATE = 48000,
    // The longest packet: 120 ms.
    MAXIMUM_SAMPLES = 5760,
    MAXIMUM_BYTES = 4000,
    // More than libopus needs for either state; `open_…` checks it.
    STATE_BYTES = 65536,
};

static float samples[MAXIMUM_SAMPLES];
static unsigned char packet[MAXIMUM_BYTES];
static _Alignas(16) unsigned char state[STATE_BYTES];

#define ENCODER ((OpusEncoder *)state)
#define DECODER ((OpusDecoder *)state)

// A failed check of libopus (ENABLE_HARDENING) ends the instance; the page makes another one.
__attribute__((noreturn)) void celt_fatal(const char *text, const char *file, int line) { __builtin_trap(); }

// The address of the decoded samples, and of those to encode.
EXPORT(samples) float *samples_address(void) { return samples; }

// The address of the packet to decode, and of the encoded one.
EXPORT(packet) unsigned char *packet_address(void) { return packet; }

// Makes this instance an encoder of voice; returns 0, or libopus' negative error.
EXPORT(openEncoder) int open_encoder(int bitrate, int complexity)
{
    if (opus_encoder_get_size(1) > STATE_BYTES) return OPUS_ALLOC_FAIL;
    int error = opus_encoder_init(ENCODER, RATE, 1, OPUS_APPLICATION_VOIP);
    if (error == OPUS_OK) error = opus_encoder_ctl(ENCODER, OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE));
    if (error == OPUS_OK) error = opus_encoder_ctl(ENCODER, OPUS_SET_COMPLEXITY(complexity));
    return error == OPUS_OK ? opus_encoder_ctl(ENCODER, OPUS_SET_BITRATE(bitrate)) : error;
}

// Changes the bit rate of the running encoder; returns 0, or libopus' negative error.
EXPORT(setBitrate) int set_bitrate(int bitrate) { return opus_encoder_ctl(ENCODER, OPUS_SET_BITRATE(bitrate)); }

// Encodes `count` samples; returns the bytes of the packet, or libopus' negative error.
EXPORT(encode) int encode(int count)
{
    if (count < 0 || count > MAXIMUM_SAMPLES) return OPUS_BAD_ARG;
    return opus_encode_float(ENCODER, samples, count, packet, MAXIMUM_BYTES);
}

// Makes this instance a decoder; returns 0, or libopus' negative error.
EXPORT(openDecoder) int open_decoder(void)
{
    if (opus_decoder_get_size(1) > STATE_BYTES) return OPUS_ALLOC_FAIL;
    return opus_decoder_init(DECODER, RATE, 1);
}

// Decodes a packet of `count` bytes; returns the number of samples, or libopus' negative error.
EXPORT(decode) int decode(int count)
{
    if (count <= 0 || count > MAXIMUM_BYTES) return OPUS_BAD_ARG;
    return opus_decode_float(DECODER, packet, count, samples, MAXIMUM_SAMPLES, 0);
}

// Conceals `count` lost samples, a multiple of 120; returns their number, or libopus' negative error.
EXPORT(conceal) int conceal(int count)
{
    if (count <= 0 || count > MAXIMUM_SAMPLES) return OPUS_BAD_ARG;
    return opus_decode_float(DECODER, 0, 0, samples, count, 0);
}
