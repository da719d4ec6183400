import { connect } from 'node:net'

/** Every byte a server sends back on one connection after the given bytes, until it closes or falls silent. */
export const sendRaw = (port: number, bytes: Uint8Array | string, silenceMs = 150): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    const finish = (): void => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(silenceMs, finish)
    socket.on('data', (part) => {
      received += part.toString('latin1')
    })
    socket.on('end', finish)
    socket.on('error', finish)
    socket.on('close', finish)
    socket.write(bytes)
  })
