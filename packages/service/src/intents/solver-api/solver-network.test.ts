import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHEAP_KEY, createTestNetwork } from '../../../test/test-network.ts'
import { loginFrame, readServiceMessage } from '../../../test/test-solver.ts'
import { CLOSE_CODES, type ServiceMessage } from './protocol.ts'

/** A connection to a network that is not open yet. */
const early = () => {
  const world = createTestNetwork('test', { isOpen: false })
  const heard: ServiceMessage[] = []
  let closedWith: number | undefined
  const session = world.network.connect({
    send: (frame) => heard.push(readServiceMessage(frame)),
    close: (code) => {
      closedWith = code
    },
  })
  return { ...world, heard, session, closedWith: () => closedWith }
}

test('a solver that connects before the network is open is challenged and logged in once it is', async () => {
  const { network, session, heard, logins } = early()
  assert.equal(heard.length, 0)
  network.open()
  const challenge = heard.at(0)
  assert.ok(challenge?.type === 'challenge')
  session.receive(await loginFrame(CHEAP_KEY, challenge))
  assert.equal(heard.at(-1)?.type, 'welcome')
  assert.equal(session.loggedIn(), true)
  assert.deepEqual(
    logins.map(({ name }) => name),
    ['cheap'],
  )
})

test('a peer that speaks before its challenge is disconnected, and is not challenged later', () => {
  const { network, session, heard, closedWith } = early()
  session.receive('{"type":"login"}')
  session.receive('again')
  assert.equal(closedWith(), CLOSE_CODES.loginFailed)
  network.open()
  assert.deepEqual(heard, [])
})

test('a peer that leaves before the network is open is forgotten', () => {
  const { network, session, heard, errors } = early()
  session.closed()
  network.open()
  assert.deepEqual([heard, errors], [[], []])
})
