#ifndef HUB_COpus_SHIM_H
#define HUB_COpus_SHIM_H

#include <opus.h>

// opus_encoder_ctl and opus_decoder_ctl are variadic, which Swift cannot call: one typed function for each
// request we use. Each returns OPUS_OK or a negative error code.

// Takes 500 to 512000 bits per second; a value outside is pulled to the next one inside by libopus.
static inline int hub_opus_encoder_set_bitrate(OpusEncoder *encoder, opus_int32 bits_per_second) {
    return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}

// Takes 0 (least work) to 10 (best sound for the bits).
static inline int hub_opus_encoder_set_complexity(OpusEncoder *encoder, opus_int32 complexity) {
    return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

// 1 lets the encoder answer silence with packets of one or two bytes, which need not be sent.
static inline int hub_opus_encoder_set_dtx(OpusEncoder *encoder, opus_int32 enabled) {
    return opus_encoder_ctl(encoder, OPUS_SET_DTX(enabled));
}

// 1 lets the encoder put a coarse copy of the frame before into each packet, if a loss is expected too.
static inline int hub_opus_encoder_set_inband_fec(OpusEncoder *encoder, opus_int32 enabled) {
    return opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(enabled));
}

// Takes 0 to 100; without a loss above 0 the encoder spends nothing on error correction.
static inline int hub_opus_encoder_set_packet_loss_percent(OpusEncoder *encoder, opus_int32 percent) {
    return opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(percent));
}

// Writes the delay of the encoder in samples at its rate: what RFC 7845 calls the pre-skip.
static inline int hub_opus_encoder_get_lookahead(OpusEncoder *encoder, opus_int32 *samples) {
    return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(samples));
}

// 1 makes each packet decodable without the one before it, at the cost of some bits.
static inline int hub_opus_encoder_set_prediction_disabled(OpusEncoder *encoder, opus_int32 disabled) {
    return opus_encoder_ctl(encoder, OPUS_SET_PREDICTION_DISABLED(disabled));
}

// Forgets all sound so far, keeps the settings.
static inline int hub_opus_encoder_reset(OpusEncoder *encoder) {
    return opus_encoder_ctl(encoder, OPUS_RESET_STATE);
}

// Forgets all sound so far, keeps the settings.
static inline int hub_opus_decoder_reset(OpusDecoder *decoder) {
    return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}

// Takes the gain in 1/256 dB, -32768 to 32767, as the field of OpusHead holds it (RFC 7845 section 5.1).
static inline int hub_opus_decoder_set_gain(OpusDecoder *decoder, opus_int32 gain) {
    return opus_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

#endif
