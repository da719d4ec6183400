import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { recorded } from '../../test/recorded-quotes.ts'
import type { Guarded } from '../guard/guards.ts'
import { readEvmBalance } from './evm-balance.ts'
import { guardEvmQuote } from './guard-evm-quote.ts'

const HEDERA = 'eip155:295'
const WEIBAR = 10n ** 10n
const ZERO = `0x${'0'.repeat(40)}`
const CALLS = parseAbi([
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue)',
])

/** A recorded transfer of the token service from another chain, whose value is changed; the quote shows `fee`, and the call names `gas`. */
const paying = (
  chain: string,
  value: bigint,
  { fee, gas }: { readonly fee: bigint; readonly gas: bigint },
): Guarded => {
  const { quote, request, guards, ...rest } = recorded('evm', 'its')
  const [transfer] = quote.actions.slice(-1)
  assert.ok(transfer?.payload.type === 'evm_transaction')
  // CAST: the payload's data is 0x-hex; a tag follows the call.
  const data = transfer.payload.data.slice(0, -32) as Hex
  const { args } = decodeFunctionData({ abi: CALLS, data })
  const [tokenId, to, recipient, amount, metadata] = args
  const call = encodeFunctionData({
    abi: CALLS,
    functionName: 'interchainTransfer',
    args: [tokenId, to, recipient, amount, metadata, gas],
  })
  const tag = transfer.payload.data.slice(-32)
  const payload = { ...transfer.payload, data: `${call}${tag}`, value: `${value}` }
  const approvals = quote.actions.slice(0, -1).map((action) => ({ ...action, chain }))
  return {
    ...rest,
    guards: { ...guards, contracts: { [chain]: [transfer.payload.to] } },
    request: { ...request, fromChain: chain },
    quote: {
      ...quote,
      input: { ...quote.input, chain },
      fees: { ...quote.fees, user: { ...quote.fees.user, amount: `${fee}` } },
      actions: [...approvals, { ...transfer, chain, payload }],
    },
  }
}

const refused = (guarded: Guarded, guard: string): void => {
  assert.throws(() => guardEvmQuote(guarded), { code: 'unsafe', guard })
}

test('on Hedera a value is 10^10 times the fee that the quote shows and the call names, and nothing else', () => {
  const told = { fee: 1_234_567n, gas: 1_234_567n }
  guardEvmQuote(paying(HEDERA, told.fee * WEIBAR, told))
  for (const value of [
    told.fee,
    told.fee * WEIBAR * WEIBAR,
    told.fee * WEIBAR + 1n,
    told.fee * WEIBAR - 1n,
    (told.fee + 1n) * WEIBAR,
    1n,
    0n,
  ])
    refused(paying(HEDERA, value, told), 'call_value')
  // The call may name no other fee: neither weibar nor one that the quote does not show.
  for (const gas of [told.gas * WEIBAR, told.gas - 1n, 0n])
    refused(paying(HEDERA, told.fee * WEIBAR, { ...told, gas }), 'call_value')
})

test('on no other chain is a value of another scale than the fee that is shown accepted', () => {
  const told = { fee: 1_234_567n, gas: 1_234_567n }
  for (const chain of ['eip155:1', 'eip155:2950', 'eip155:29']) {
    guardEvmQuote(paying(chain, told.fee, told))
    refused(paying(chain, told.fee * WEIBAR, told), 'call_value')
    refused(paying(chain, told.fee * WEIBAR, { ...told, gas: told.gas * WEIBAR }), 'call_value')
  }
})

test('the most native fee that a person accepts is held against base units', () => {
  const told = { fee: 1_000n, gas: 1_000n }
  const limited = (maximumNativeFee: bigint): Guarded => {
    const guarded = paying(HEDERA, told.fee * WEIBAR, told)
    return { ...guarded, guards: { ...guarded.guards, maximumNativeFee } }
  }
  guardEvmQuote(limited(1_000n))
  refused(limited(999n), 'native_fee')
})

let anvil: PrivateAnvil
before(async () => {
  anvil = await startAnvil(295)
})
after(() => anvil.stop())

test('a balance of HBAR is read in tinybar, rounded down', async () => {
  const owner = `0x${'61'.repeat(20)}`
  await anvil.rpc('anvil_setBalance', owner, `0x${(7n * WEIBAR + 9_999_999_999n).toString(16)}`)
  assert.equal(await readEvmBalance({ rpcUrl: anvil.rpcUrl, token: ZERO, owner }), 7n)
})
