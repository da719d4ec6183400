import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { recorded } from '../../test/recorded-quotes.ts'
import type { Eip1193Provider } from './eip1193-provider.ts'
import { injectedPayer } from './injected-payer.ts'
import { toSendCalls } from './send-calls.ts'

const { quote: QUOTE } = recorded('evm', 'gateway')
const { from, calls } = toSendCalls(QUOTE)
const TOKEN = QUOTE.input.token
const GATEWAY = calls.at(-1)?.to ?? assert.fail()

/** Notes an approval, answers 2^255 as a balance, and whether it was approved to a call without data. */
const TOKEN_CODE = '0x36602410601c57366013575f545f5260205ff35b60015f5360205ff35b60015f5560015f5360205ff3'
/** Reverts unless the token was approved. */
const GATEWAY_CODE = `0x60205f5f5f5f73${TOKEN.slice(2)}5af1505f516026575f5ffd5b00`
const REVERTS = '0x5f5ffd'

let anvil: PrivateAnvil
before(async () => {
  anvil = await startAnvil(31337)
  await anvil.rpc('anvil_setCode', TOKEN, TOKEN_CODE)
})
after(() => anvil.stop())

/** A wallet of anvil's first account, which knows all methods of its node but some. */
const walletOf = (unknown: readonly string[] = []) => {
  const asked: string[] = []
  const request: Eip1193Provider['request'] = async ({ method, params }) => {
    asked.push(method)
    if (method === 'eth_requestAccounts') return [from]
    if (unknown.includes(method)) throw Object.assign(new Error('no such method'), { code: -32601 })
    return anvil.rpc(method, ...(Array.isArray(params) ? params : []))
  }
  return { provider: { request }, asked }
}

test('of two actions the second is simulated in the state that the first leaves, before anything is signed', async () => {
  await anvil.rpc('anvil_setCode', GATEWAY, GATEWAY_CODE)
  const { provider, asked } = walletOf()
  await (await injectedPayer(provider)).simulate(QUOTE)
  assert.ok(asked.includes('eth_simulateV1'))
  assert.equal(await anvil.rpc('eth_getStorageAt', TOKEN, '0x0', 'latest'), `0x${'0'.repeat(64)}`)
})

test('a second action that would fail after the first is refused', async () => {
  await anvil.rpc('anvil_setCode', GATEWAY, REVERTS)
  const { provider, asked } = walletOf()
  await assert.rejects((await injectedPayer(provider)).simulate(QUOTE), {
    name: 'ExecutionError',
    code: 'refused',
    actionId: 'transfer',
    message: /action "transfer" would fail after those before it: .+/,
  })
  assert.ok(!asked.some((method) => /send/i.test(method)))
})

test('a wallet that does not pass the method on refuses no quote by it', async () => {
  await anvil.rpc('anvil_setCode', GATEWAY, REVERTS)
  const { provider } = walletOf(['eth_simulateV1'])
  await (await injectedPayer(provider)).simulate(QUOTE)
})
