#include "bare_epoll.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FINAL_DATA_OPCODES = 2, CLOSE = 8, MASKED = 0x80 };

bool keep(struct connection *connection, const unsigned char *bytes, size_t length)
{
    if (length > sizeof connection->kept) {
        return false;
    }
    memcpy(connection->kept, bytes, length);
    connection->kept_length = length;
    return true;
}

/* Eight bytes at a time. */
static void unmask(unsigned char *to, const unsigned char *from, size_t length, const unsigned char *mask)
{
    uint32_t half;
    memcpy(&half, mask, 4);
    uint64_t whole = (uint64_t)half << 32 | half;
    size_t place = 0;
    for (; place + 8 <= length; place += 8) {
        uint64_t word;
        memcpy(&word, from + place, 8);
        word ^= whole;
        memcpy(to + place, &word, 8);
    }
    for (; place < length; place++) {
        to[place] = from[place] ^ mask[place & 3];
    }
}

struct reframed reframe(unsigned char *bytes, size_t length)
{
    struct reframed result = {.bytes = bytes};
    while (length - result.taken >= 6) {
        const unsigned char *frame = bytes + result.taken;
        size_t payload = frame[1] & 0x7f, head = 6;
        unsigned char opcode = frame[0] & 0x0f, first = frame[0];
        if (!(frame[1] & MASKED) || payload == 127 || opcode == CLOSE) {
            result.is_closing = true;
            break;
        }
        if (payload == 126) {
            payload = (size_t)frame[2] << 8 | frame[3];
            head = 8;
        }
        if (length - result.taken < head + payload) {
            break;
        }
        result.taken += head + payload;
        if (opcode > FINAL_DATA_OPCODES) {
            continue; /* Nobody here needs an answer to a ping. */
        }
        unsigned char mask[4];
        memcpy(mask, frame + head - 4, 4);
        /* The new head is shorter, so what is written never catches up with what is read. */
        unsigned char *out = bytes + result.length;
        size_t new_head = head - 4;
        unmask(out + new_head, frame + head, payload, mask);
        out[0] = first;
        out[1] = payload < 126 ? (unsigned char)payload : 126;
        if (payload >= 126) {
            out[2] = (unsigned char)(payload >> 8);
            out[3] = (unsigned char)payload;
        }
        result.length += new_head + payload;
    }
    return result;
}

int answer_handshake(const char *head, char *answer, size_t size)
{
    static const char field[] = "Sec-WebSocket-Key: ";
    const char *key = strstr(head, field);
    if (!key || strlen(key) < sizeof field - 1 + 24) {
        return -1;
    }
    unsigned char text[60], digest[SHA_DIGEST_LENGTH];
    char encoded[4 * (SHA_DIGEST_LENGTH + 2) / 3 + 1];
    memcpy(text, key + sizeof field - 1, 24);
    memcpy(text + 24, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", 36);
    SHA1(text, sizeof text, digest);
    EVP_EncodeBlock((unsigned char *)encoded, digest, SHA_DIGEST_LENGTH);
    return snprintf(answer, size,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n", encoded);
}
