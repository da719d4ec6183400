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

test('a token id that stands for another token on chain is refused, and one that stands for none', async () => {
  const guarded = recorded('evm', 'its')
  const contract = targetOf(guarded)
  await anvil.rpc('anvil_setCode', contract, answers(guarded.quote.input.token))
  await guard(guarded)
  for (const code of [answers(THIEF), REVERTS, '0x']) {
    await anvil.rpc('anvil_setCode', contract, code)
    await assert.rejects(guard(guarded), { code: 'unsafe', guard: 'token_id' })
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

const NATIVE = `0x${'0'.repeat(40)}`
const NATIVE_AS_ERC20 = `0x${'e'.repeat(40)}`

/** A recorded transfer of the token service with another input, and without the approval. */
const payingWith = (token: string, value = (wei: bigint): bigint => wei): Guarded => {
  const { quote, request, ...rest } = recorded('evm', 'its')
  const [transfer] = quote.actions.slice(-1)
  assert.ok(transfer?.payload.type === 'evm_transaction')
  const payload = { ...transfer.payload, value: `${value(BigInt(transfer.payload.value))}` }
  return {
    ...rest,
    request: { ...request, fromToken: token },
    quote: { ...quote, input: { ...quote.input, token }, actions: [{ ...transfer, payload }] },
  }
}

test('a native input of the token service is sent as no value, and its id stands for the ERC-20 of the native asset', async () => {
  const native = payingWith(NATIVE)
  await anvil.rpc('anvil_setCode', targetOf(native), answers(NATIVE_AS_ERC20))
  await guard(native)
  const doubled = payingWith(NATIVE, (wei) => wei + BigInt(native.quote.input.amount))
  await assert.rejects(guard(doubled), { code: 'unsafe', guard: 'call_value' })
  await assert.rejects(guard(payingWith(THIEF)), { code: 'unsafe', guard: 'token_id' })
  for (const other of [THIEF, recorded('evm', 'its').quote.input.token]) {
    await anvil.rpc('anvil_setCode', targetOf(native), answers(other))
    await assert.rejects(guard(native), { code: 'unsafe', guard: 'token_id' }, other)
  }
})

test('a wallet needs the native input of the token service beside the relay fee', async () => {
  const { quote } = payingWith(NATIVE)
  const payer = evmPayer(connectEvm(KEY, anvil.rpcUrl))
  const payload = quote.actions.at(-1)?.payload
  assert.ok(payload?.type === 'evm_transaction')
  const needed = BigInt(payload.value) + BigInt(quote.input.amount)
  const hold = (wei: bigint) => anvil.rpc('anvil_setBalance', payer.address, `0x${wei.toString(16)}`)
  await hold(needed - 1n)
  const lacks = new RegExp(`holds ${needed - 1n} wei, the quote takes ${needed}`)
  await assert.rejects(payer.simulate(quote), { code: 'refused', message: lacks })
  await anvil.rpc('anvil_setCode', targetOf(payingWith(NATIVE)), answers(NATIVE_AS_ERC20))
  await hold(needed + 10n ** 18n)
  await payer.simulate(quote)
})
