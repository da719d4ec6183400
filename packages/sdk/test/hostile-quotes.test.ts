import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, MuxedAccount, StrKey } from '@stellar/stellar-sdk'
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  parseAbiParameters,
} from 'viem'
import { guardEvmQuote } from '../src/evm/guard-evm-quote.ts'
import { checkTerms } from '../src/guard/guards.ts'
import type { Action, GuardCode, Guarded, Quote } from '../src/index.ts'
import { guardSolanaQuote } from '../src/solana/guard-solana-quote.ts'
import { guardStellarQuote } from '../src/stellar/guard-stellar-quote.ts'
import { recorded } from './recorded-quotes.ts'

const THIEF = '0x00000000000000000000000000000000000bad01'
const THIEF_WORD = THIEF.slice(2).toLowerCase().padStart(64, '0')
const SELECTOR = 10
const TAG = 32

type Change = (guarded: Guarded) => Guarded

const withQuote = ({ quote, ...rest }: Guarded, change: (quote: Quote) => Quote): Guarded => ({
  ...rest,
  quote: change(structuredClone(quote)),
})
const inQuote =
  (change: (quote: Quote) => Quote): Change =>
  (guarded) =>
    withQuote(guarded, change)

/** Changes the last action's payload, or that of another by its index. */
const payload = (change: (payload: Action['payload']) => object, index = -1): Change =>
  inQuote((quote) => {
    const actions = [...quote.actions]
    const action = actions.at(index)
    assert.ok(action !== undefined)
    // CAST: a hostile service answers what passes the schema.
    const changed = { ...action, payload: { ...action.payload, ...change(action.payload) } } as Action
    actions.splice(actions.indexOf(action), 1, changed)
    return { ...quote, actions }
  })

const evm = (changed: object, index = -1): Change => payload(() => changed, index)

const dataOf = (of: Action['payload']): string => {
  assert.ok(of.type === 'evm_transaction')
  return of.data
}

/** Replaces the word at an index of the calldata. */
const word = (index: number, digits: string): Change =>
  payload((of) => {
    const data = dataOf(of)
    const start = SELECTOR + index * 64
    return { data: data.slice(0, start) + digits.padStart(64, '0') + data.slice(start + 64) }
  })

/** Encodes the arguments of a call again with some of them changed. */
const args = (types: string, change: (values: readonly unknown[]) => readonly unknown[]): Change =>
  payload((of) => {
    const data = dataOf(of)
    const parameters: readonly AbiParameter[] = parseAbiParameters(types)
    const values = decodeAbiParameters(parameters, `0x${data.slice(SELECTOR, -TAG)}`)
    const encoded = encodeAbiParameters(parameters, change(values))
    return { data: data.slice(0, SELECTOR) + encoded.slice(2) + data.slice(-TAG) }
  })

const swapped = (index: number, value: unknown) => (values: readonly unknown[]) => values.with(index, value)

const approve = (spender: `0x${string}`, amount: bigint): Change =>
  evm({ data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }) }, 0)

const SEND_TOKEN = 'string, string, string, uint256'
const INTERCHAIN = 'bytes32, string, bytes, uint256, bytes, uint256'
const EXPRESS =
  '(bytes32 salt, uint32 deadline, address inputToken, uint256 inputAmount, bytes inputPath, string symbol, uint256 minimumBridgeAmount, address refundAddress, uint256 destinationChainId, address outputToken, bytes outputPath, uint256 minimumAmount, address recipient, uint32 deliveryGas) order'
const express = (changed: object): Change => args(EXPRESS, ([order]) => [{ ...Object(order), ...changed }])

/** Words of `open`: five before the order, whose fields follow. */
const order = (field: 'depositor' | 'recipient' | 'refundAfter' | 'outputAmount' | 'inputToken' | 'chain') =>
  5 + { depositor: 0, chain: 4, refundAfter: 8, inputToken: 9, outputAmount: 12, recipient: 13 }[field]

const gateway = () => recorded('evm', 'gateway')
const intent = () => recorded('evm', 'intent')
const its = () => recorded('evm', 'its')
const router = () => recorded('evm', 'gateway-express')
const solana = () => recorded('solana', 'intent')

/** The deposit account behind the muxed address of the recorded quote. */
const vaultOf = ({ quote }: Guarded): string => {
  const of = quote.actions.at(-1)?.payload
  assert.ok(of?.type === 'deposit_address')
  return MuxedAccount.fromAddress(of.address, '0').baseAccount().accountId()
}
const stellar = (): Guarded => recorded('stellar', 'intent', vaultOf(recorded('stellar', 'intent')))

const muxed = (id: (old: bigint) => bigint, account?: string): Change =>
  payload((of) => {
    assert.ok(of.type === 'deposit_address')
    const old = MuxedAccount.fromAddress(of.address, '0')
    const base = account === undefined ? old.baseAccount() : new Account(account, '0')
    return { address: new MuxedAccount(base, id(BigInt(old.id())).toString()).accountId() }
  })

const THIEF_STELLAR = StrKey.encodeEd25519PublicKey(Buffer.alloc(32, 7))

const instructions = (
  change: (all: Extract<Action['payload'], { type: 'solana_instructions' }>['instructions']) => object[],
): Change =>
  payload((of) => {
    assert.ok(of.type === 'solana_instructions')
    return { instructions: change(of.instructions) }
  })

/** Replaces bytes of the last instruction. */
const bytes = (start: number, values: readonly number[]): Change =>
  instructions((all) => {
    const last = all.at(-1)
    assert.ok(last !== undefined)
    const data = Buffer.from(last.data, 'base64')
    data.set(values, start)
    return [...all.slice(0, -1), { ...last, data: data.toString('base64') }]
  })

const budget = (data: readonly number[]) => ({
  programId: 'ComputeBudget111111111111111111111111111111',
  keys: [],
  data: Buffer.from(data).toString('base64'),
})

const amounts = (output: Partial<Quote['output']>): Change =>
  inQuote((quote) => ({ ...quote, output: { ...quote.output, ...output } }))

/** What a hostile service answers, and the guard that refuses it. */
const HOSTILE: readonly (readonly [string, () => Guarded, Change, GuardCode])[] = [
  [
    'another input token',
    gateway,
    inQuote((q) => ({ ...q, input: { ...q.input, token: THIEF } })),
    'other_assets',
  ],
  ['another output chain', gateway, amounts({ chain: 'eip155:5' }), 'other_assets'],
  [
    'an action on another chain',
    gateway,
    inQuote((q) => ({ ...q, actions: q.actions.map((a) => ({ ...a, chain: 'eip155:5' })) })),
    'other_assets',
  ],
  [
    'more input than was offered',
    gateway,
    inQuote((q) => ({ ...q, input: { ...q.input, amount: `${q.input.amount}0` } })),
    'input_amount',
  ],
  ['a minimum above the output', gateway, amounts({ minimumAmount: '9'.repeat(30) }), 'output_amount'],
  ['an output of nothing', gateway, amounts({ amount: '0', minimumAmount: '0' }), 'output_amount'],
  [
    'less than the asked minimum',
    (): Guarded => ({ ...gateway(), guards: { minimumOutput: 10n ** 18n } }),
    (g) => g,
    'output_amount',
  ],
  ['half of the value', gateway, amounts({ minimumAmount: '499700000000000000' }), 'loss'],
  [
    'a fee on top that eats the input',
    its,
    inQuote((q) => ({ ...q, fees: { ...q.fees, user: { ...q.fees.user, amountUsdApprox: '2000' } } })),
    'loss',
  ],
  ['a value that is no number', gateway, amounts({ amountUsdApprox: '1e999' }), 'loss_unknown'],
  [
    'no value, with a maximum loss',
    (): Guarded => ({ ...gateway(), guards: { maximumLossBps: 50 } }),
    inQuote(({ output: { amountUsdApprox: _, ...output }, ...q }) => ({ ...q, output })),
    'loss_unknown',
  ],
  [
    'two transfers',
    gateway,
    inQuote((q) => ({ ...q, actions: [...q.actions.slice(1), ...q.actions.slice(1)] })),
    'action_order',
  ],
  ['an approval of another token', gateway, evm({ to: THIEF }, 0), 'approval_call'],
  [
    'a transfer in place of the approval',
    gateway,
    evm({ data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [THIEF, 1n] }) }, 0),
    'approval_call',
  ],
  ['an approval with value', gateway, evm({ value: '1' }, 0), 'approval_call'],
  ['an approval for a stranger', gateway, approve(THIEF, 10n ** 18n), 'approval_spender'],
  [
    'an unlimited approval',
    gateway,
    payload((of) => ({ data: dataOf(of).slice(0, -64) + 'f'.repeat(64) }), 0),
    'approval_amount',
  ],
  [
    'a call of a contract that is not known',
    gateway,
    (g) =>
      evm({ to: THIEF })(
        evm(
          { data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [THIEF, 10n ** 18n] }) },
          0,
        )(g),
      ),
    'unknown_contract',
  ],
  [
    'a call of the token itself',
    (): Guarded => ({ ...gateway(), guards: {} }),
    inQuote((q) => ({
      ...q,
      actions: q.actions
        .slice(1)
        .map((a) => ({ ...a, payload: { ...a.payload, to: q.input.token } as Action['payload'] })),
    })),
    'unknown_contract',
  ],
  [
    'an unknown function',
    gateway,
    payload((of) => ({ data: `0xdeadbeef${dataOf(of).slice(SELECTOR)}` })),
    'unknown_call',
  ],
  [
    'the call of another backend',
    gateway,
    payload(() => ({ data: dataOf(Object(its().quote.actions[1]).payload) })),
    'unknown_call',
  ],
  ['bytes behind the call', gateway, payload((of) => ({ data: `${dataOf(of)}00` })), 'unknown_call'],
  ['value that the quote does not show', gateway, evm({ value: '5' }), 'call_value'],
  [
    'a fee beyond the accepted one',
    (): Guarded => ({ ...its(), guards: { maximumNativeFee: 1n } }),
    (g) => g,
    'native_fee',
  ],
  ['another recipient of the gateway', gateway, args(SEND_TOKEN, swapped(1, THIEF)), 'call_recipient'],
  ['another chain of the gateway', gateway, args(SEND_TOKEN, swapped(0, 'elsewhere')), 'call_chain'],
  ['another amount of the gateway', gateway, args(SEND_TOKEN, swapped(3, 1n)), 'call_input'],
  ['another symbol of the gateway', gateway, args(SEND_TOKEN, swapped(2, 'SCAM')), 'call_input'],
  ['another recipient of ITS', its, args(INTERCHAIN, swapped(2, THIEF)), 'call_recipient'],
  ['another token of ITS', its, args(INTERCHAIN, swapped(0, `0x${THIEF_WORD}`)), 'call_input'],
  ['a call on the destination by ITS', its, args(INTERCHAIN, swapped(4, '0x00000000ff')), 'call_extra'],
  ['other gas of ITS', its, args(INTERCHAIN, swapped(5, 1n)), 'call_value'],
  ['another recipient of the router', router, express({ recipient: THIEF }), 'call_recipient'],
  ['another refund address of the router', router, express({ refundAddress: THIEF }), 'call_sender'],
  ['a lower minimum of the router', router, express({ minimumAmount: 1n }), 'call_output'],
  ['another chain of the router', router, express({ destinationChainId: 5n }), 'call_chain'],
  ['another amount of the router', router, express({ inputAmount: 1n }), 'call_input'],
  ['an order of another depositor', intent, word(order('depositor'), THIEF_WORD), 'call_sender'],
  ['an order for another recipient', intent, word(order('recipient'), THIEF_WORD), 'call_recipient'],
  ['an order that gives less', intent, word(order('outputAmount'), '1'), 'call_output'],
  ['an order of another token', intent, word(order('inputToken'), THIEF_WORD), 'call_input'],
  ['an order to another chain', intent, word(order('chain'), '5'), 'call_chain'],
  [
    'an order that locks the deposit for years',
    intent,
    word(order('refundAfter'), 'ffffffff'),
    'call_deadline',
  ],
  ['an order with offsets that lead elsewhere', intent, word(3, '20'), 'unknown_call'],
  ['bytes behind the order', intent, payload((of) => ({ data: `${dataOf(of)}0000` })), 'call_extra'],
  ['the tag of another quote', intent, inQuote((q) => ({ ...q, quoteId: `${q.quoteId}x` })), 'call_extra'],
  [
    'a program that is not known',
    solana,
    instructions((all) =>
      all.map((one, at) => (at === all.length - 1 ? { ...one, programId: THIEF_STELLAR.slice(0, 44) } : one)),
    ),
    'unknown_contract',
  ],
  [
    'a program where none is named',
    (): Guarded => ({ ...solana(), guards: {} }),
    (g) => g,
    'unknown_contract',
  ],
  [
    'a second instruction of the program',
    solana,
    instructions((all) => [...all, ...all.slice(-1)]),
    'action_order',
  ],
  ['another instruction of the program', solana, bytes(0, [...Buffer.from('refund\0\0')]), 'unknown_call'],
  [
    'a price that burns SOL',
    solana,
    instructions((all) => [budget([3, 255, 255, 255, 255, 255, 0, 0, 0]), ...all.slice(-1)]),
    'priority_fee',
  ],
  [
    'another use of the compute budget',
    solana,
    instructions((all) => [budget([1, 0, 0, 4, 0]), ...all]),
    'unknown_call',
  ],
  [
    'a second signer on Solana',
    solana,
    instructions((all) =>
      all.map(({ keys, ...one }) => ({
        ...one,
        keys: keys.map((key, at) => (at === 2 ? { ...key, isSigner: true } : key)),
      })),
    ),
    'call_sender',
  ],
  [
    'another mint on Solana',
    solana,
    instructions((all) =>
      all.map(({ keys, ...one }) => ({
        ...one,
        keys: keys.map((key, at) =>
          at === 6 ? { ...key, pubkey: 'So11111111111111111111111111111111111111112' } : key,
        ),
      })),
    ),
    'call_input',
  ],
  ['another amount on Solana', solana, bytes(304, [1, 0, 0, 0, 0, 0, 0, 0]), 'call_input'],
  [
    'another recipient on Solana',
    solana,
    bytes(
      212,
      Array.from({ length: 20 }, () => 7),
    ),
    'call_recipient',
  ],
  ['another destination chain on Solana', solana, bytes(72, [1, 2, 3]), 'call_chain'],
  [
    'less output on Solana',
    solana,
    bytes(
      168,
      Array.from({ length: 31 }, () => 0),
    ),
    'call_output',
  ],
  ['more than the input on Stellar', stellar, evm({ amount: '40000001' }), 'call_input'],
  [
    'another token on Stellar',
    stellar,
    evm({ token: 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA' }),
    'call_input',
  ],
  ['an account that is not known on Stellar', stellar, muxed((id) => id, THIEF_STELLAR), 'unknown_contract'],
  ['no account on Stellar', stellar, evm({ address: 'MAAA' }), 'deposit_address'],
  [
    'the sender itself on Stellar',
    (): Guarded => ({ ...stellar(), guards: {} }),
    (g) => muxed((id) => id, g.request.sender)(g),
    'deposit_address',
  ],
  ['the order of another quote on Stellar', stellar, muxed((id) => id ^ 1n), 'deposit_memo'],
  ['an account without an order on Stellar', stellar, (g) => evm({ address: vaultOf(g) })(g), 'deposit_memo'],
]

const NETWORK = { passphrase: 'OpenRFQ sandbox', assets: [] }

const guard = async (guarded: Guarded): Promise<void> => {
  checkTerms(guarded)
  const type = guarded.quote.actions.at(-1)?.payload.type
  if (type === 'evm_transaction') guardEvmQuote(guarded)
  else if (type === 'solana_instructions') guardSolanaQuote(guarded)
  else await guardStellarQuote(guarded, NETWORK)
}

test('no guard refuses a quote of an honest service', async () => {
  const exact = ['intent', 'gateway', 'gateway-express'].map((type) => () => recorded('exactOutput', type))
  for (const honest of [gateway, intent, its, router, solana, stellar, ...exact]) await guard(honest())
})

test('every hostile quote is refused by its own guard, before anything is signed', async (t) => {
  assert.ok(HOSTILE.length >= 60, `${HOSTILE.length}`)
  for (const [name, honest, change, code] of HOSTILE)
    await t.test(name, async () => {
      await assert.rejects(guard(change(honest())), { name: 'ExecutionError', code: 'unsafe', guard: code })
    })
})
