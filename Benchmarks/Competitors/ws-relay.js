'use strict'

// A relay on Node's `ws`: passes messages between the two connections that open /pair/N with the same N. Without compression
// and without checking text, so that nothing but the relaying is measured.

const { WebSocketServer } = require('ws')

const waiting = new Map()

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  backlog: 1024,
  perMessageDeflate: false,
  skipUTF8Validation: true,
})

server.on('listening', () => console.log(`127.0.0.1:${server.address().port}`))

server.on('connection', (socket, request) => {
  const path = request.url
  socket.peer = waiting.get(path)
  if (socket.peer) {
    socket.peer.peer = socket
    waiting.delete(path)
  } else {
    waiting.set(path, socket)
  }
  socket.on('message', (data, isBinary) => {
    if (socket.peer) socket.peer.send(data, { binary: isBinary })
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (waiting.get(path) === socket) waiting.delete(path)
    if (socket.peer) socket.peer.peer = undefined
  })
})
