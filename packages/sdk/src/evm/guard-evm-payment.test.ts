import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { recorded } from '../../test/recorded-quotes.ts'
import type { Guarded } from '../guard/guards.ts'
import { connectEvm } from './connect-evm.ts'
import { evmPayer } from './evm-payer.ts'

const KEY = `0x${'59'.repeat(32)}`
const THIEF = `0x${'bad1'.repeat(10)}`

let anvil: PrivateAnvil
before(async () => {
  anvil = await startAnvil(31337)
})
after(() => anvil.stop())

/** Code that answers an address, or a number of one byte, to every call. */
const answers = (address: string): string => `0x73${address.slice(2)}5f5260205ff3`
const answersByte = (byte: number): string => `0x60${byte.toString(16).padStart(2, '0')}5f5260205ff3`
const REVERTS = '0x5f5ffd'

const targetOf = ({ quote }: Guarded): string => {
  const payload = quote.actions.at(-1)?.payload
  assert.ok(payload?.type === 'evm_transaction')
  return payload.to
}

const guard = async (guarded: Guarded): Promise<void> =>
  evmPayer(connectEvm(KEY, anvil.rpcUrl)).guard(guarded)

test('a token id or symbol that stands for another token on chain is refused, and one that stands for none', async () => {
  for (const backend of ['its', 'gateway']) {
    const guarded = recorded('evm', backend)
    const contract = targetOf(guarded)
    await anvil.rpc('anvil_setCode', contract, answers(guarded.quote.input.token))
    await guard(guarded)
    for (const code of [answers(THIEF), REVERTS, '0x']) {
      await anvil.rpc('anvil_setCode', contract, code)
      await assert.rejects(guard(guarded), { code: 'unsafe', guard: 'token_id' }, backend)
    }
  }
})

test('computes the amount with the decimals on chain, not with those the service lists', async () => {
  const guarded = recorded('evm', 'intent')
  const token = guarded.quote.input.token
  const withDecimals = (inputDecimals: number): Guarded => ({
    ...guarded,
    guards: { ...guarded.guards, inputDecimals },
  })
  await anvil.rpc('anvil_setCode', token, answersByte(6))
  await guard(withDecimals(6))
  await assert.rejects(guard(withDecimals(18)), { code: 'unsafe', guard: 'token_decimals' })
  await anvil.rpc('anvil_setCode', token, REVERTS)
  await assert.rejects(guard(withDecimals(6)), { code: 'unsafe', guard: 'token_decimals' })
})
