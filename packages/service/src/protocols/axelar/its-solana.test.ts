import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solanaKeyBytes } from '../../chains/solana/key-bytes.ts'
import { addGasInstruction, sendingPlaces } from './its-solana.ts'

const [GATEWAY, GAS_SERVICE, ITS] = [
  'gtwqvLL93XK7pC2eMvfGamqokvs19AytzaVhrL2iKiz',
  'gaszjG8797GGm8oACCzH2KLLifGp2nugKkLwaecwBjT',
  'itsAUdHnV2K99ppbM6d6WUDac8MD54RAE7dUKHnw1Eg',
]
const PAYER = 'Vote111111111111111111111111111111111111111'

test("adds gas to a message as the gas service of Axelar's Solana programs 1.1 reads it, with the payer to be repaid", () => {
  const places = sendingPlaces(GATEWAY, GAS_SERVICE, ITS)
  const { programId, keys, data } = addGasInstruction(
    { payer: PAYER, messageId: 'abc-2.1', amount: 500n },
    places,
  )
  assert.equal(programId, GAS_SERVICE)
  assert.deepEqual(
    keys.map(({ pubkey, isSigner, isWritable }) => [pubkey, isSigner, isWritable]),
    [
      [PAYER, true, true],
      [places.treasury, false, true],
      ['11111111111111111111111111111111', false, false],
      [places.gasEvents, false, false],
      [GAS_SERVICE, false, false],
    ],
  )
  const id = Buffer.from('abc-2.1')
  const expected = Buffer.concat([
    Buffer.from('663cc8a49428e6ce', 'hex'),
    Buffer.of(id.length, 0, 0, 0),
    id,
    Buffer.of(0xf4, 1, 0, 0, 0, 0, 0, 0),
    solanaKeyBytes(PAYER),
  ])
  assert.equal(data, expected.toString('base64'))
  assert.throws(
    () => addGasInstruction({ payer: PAYER, messageId: 'a', amount: 1n << 64n }, places),
    RangeError,
  )
})
