import { Server } from 'node:net'

// Loaded before a server that would listen on all interfaces: whatever address it asks for, it gets loopback.
const { listen } = Server.prototype

/** @param {unknown} port @param {unknown[]} rest */
Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  const callback = rest.find((value) => typeof value === 'function')
  return listen.call(this, { port: Number(port), host: '127.0.0.1' }, callback)
}
