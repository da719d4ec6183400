import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, MuxedAccount, StrKey } from '@stellar/stellar-sdk'
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { guardEvmQuote } from '../src/evm/guard-evm-quote.ts'
import { addressWord } from '../src/guard/address-words.ts'
import { keccakOfText } from '../src/guard/keccak.ts'
import { checkTerms } from '../src/guard/quote-terms.ts'
import type { Action, Bridge, GuardCode, Guarded, Guards, MissingGuard, Quote } from '../src/index.ts'
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

const INTERCHAIN = 'bytes32, string, bytes, uint256, bytes, uint256'
const EXPRESS =
  '(bytes32 salt, uint32 deadline, address inputToken, uint256 inputAmount, bytes inputPath, string symbol, uint256 minimumBridgeAmount, address refundAddress, uint256 destinationChainId, string destinationChain, address outputToken, bytes outputPath, uint256 minimumAmount, address recipient, address keeper, address executor, uint32 priorityUntil, uint32 returnAfter, address integrator, uint16 integratorFeeBps) order'
const express = (changed: object): Change => args(EXPRESS, ([order]) => [{ ...Object(order), ...changed }])

/** Words of `open`: five before the order, whose fields follow. */
const order = (
  field:
    | 'depositor'
    | 'recipient'
    | 'openDeadline'
    | 'fillDeadline'
    | 'refundAfter'
    | 'outputAmount'
    | 'inputToken'
    | 'chain',
) =>
  5 +
  {
    depositor: 0,
    chain: 3,
    openDeadline: 5,
    fillDeadline: 7,
    refundAfter: 8,
    inputToken: 9,
    outputAmount: 12,
    recipient: 13,
  }[field]

const gateway = () => recorded('evm', 'gateway')
const intent = () => recorded('evm', 'intent')
const its = () => recorded('evm', 'its')
const router = () => recorded('evm', 'gateway-express')
const solana = () => recorded('solana', 'intent')

const exact = () => recorded('exactOutput', 'gateway')

/** Guards beside those that the recorded quote has. */
const guardedBy =
  (honest: () => Guarded, guards: Guards): (() => Guarded) =>
  () => {
    const guarded = honest()
    return { ...guarded, guards: { ...guarded.guards, ...guards } }
  }

/** Guards in place of those. */
const guardedOnlyBy =
  (honest: () => Guarded, guards: Guards): (() => Guarded) =>
  () => ({ ...honest(), guards })

const targetOf = ({ quote }: Guarded): string => {
  const of = quote.actions.at(-1)?.payload
  assert.ok(of?.type === 'evm_transaction')
  return of.to
}

const payloadValue = ({ quote }: Guarded): string => {
  const of = quote.actions.at(-1)?.payload
  assert.ok(of?.type === 'evm_transaction')
  return of.value
}

const HERE = 'eip155:31337'
const THERE = 'eip155:31338'
const names = (there: string, contracts: Partial<Bridge[string]> = {}): Pick<Guards, 'bridge'> => ({
  bridge: { [HERE]: { name: 'sandbox-a', ...contracts }, [THERE]: { name: there } },
})

/** What the known tokens of a quote are. */
const known = ({ quote }: Guarded, input: string, output: string) => ({
  [quote.input.chain]: { [quote.input.token]: input },
  [quote.output.chain]: { [quote.output.token.toLowerCase()]: output },
})
const idOf = ({ quote: { backend } }: Guarded): string => {
  assert.ok(backend.type === 'its')
  return backend.tracking.tokenId ?? ''
}
const OTHER_ID = `0x${'ab'.repeat(32)}`

const maximal =
  (honest: () => Guarded, guards: Guards): (() => Guarded) =>
  () => {
    const guarded = honest()
    return { ...guarded, guards, request: { ...guarded.request, options: { approvalMode: 'MAX' } } }
  }
const UNLIMITED = payload((of) => ({ data: dataOf(of).slice(0, -64) + 'f'.repeat(64) }), 0)

const ATTESTER = '0x87BDce72C06C21cd96219BD8521bDF1F42C78b5e'
const SOLANA_CHAIN = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
const STELLAR_CHAIN = 'stellar:pubnet'
const SOLANA_OWNER = '22yK7iG5r1aZxhVLNLzr6Rxv4yCosmZo4wDSCm9HT14v'
const SOLANA_MINT = 'JQ7FPvc2WM4eQ4ruTMUhXD9Zzd6THRf8wro1t1EHFpc'

const uint = (value: bigint | number): string => value.toString(16).padStart(64, '0')
const wordOf = (chain: string, text: string): string => addressWord(chain, text)?.digits ?? ''

/** The recorded transfer of ITS, to a recipient on a chain of another family. */
const itsTo = (toChain: string, recipient: string) => (): Guarded => {
  const { quote, request, ...rest } = its()
  const output = { ...quote.output, chain: toChain }
  return { ...rest, quote: { ...quote, output }, request: { ...request, toChain, recipient } }
}
/** Names the recipient of ITS in one of the forms that token services read. */
const paidAs =
  (form: (toChain: string, recipient: string) => string): Change =>
  (guarded) =>
    args(INTERCHAIN, swapped(2, form(guarded.request.toChain, guarded.request.recipient)))(guarded)
const textOf = (_toChain: string, recipient: string): string => `0x${Buffer.from(recipient).toString('hex')}`
const keyOf = (toChain: string, recipient: string): string => `0x${wordOf(toChain, recipient)}`
const nothing = (): string => '0x'

/** A quote and its order that may be opened for two days, and are filled and refunded soon after. */
const openForDays: Change = (guarded) => {
  const openUntil = Math.floor(guarded.now / 1000) + 2 * 86_400
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
  const validity = {
    type: 'expires_at' as const,
    quoteExpiresAt: iso(openUntil),
    fulfillmentDeadline: iso(openUntil + 60),
  }
  const times: readonly Change[] = [
    word(order('openDeadline'), openUntil.toString(16)),
    word(order('fillDeadline'), (openUntil + 60).toString(16)),
    word(order('refundAfter'), (openUntil + 120).toString(16)),
    inQuote((quote) => ({ ...quote, validity })),
  ]
  return times.reduce((changed, change) => change(changed), guarded)
}

/** The order of the recorded intent as one to Solana, which an attester releases. */
const attested =
  (changes: Readonly<Record<string, string>> = {}): (() => Guarded) =>
  () => {
    const { quote, request, ...rest } = intent()
    const settler = targetOf(intent())
    const [expires, filled] = [quote.validity.quoteExpiresAt, quote.validity.fulfillmentDeadline ?? ''].map(
      (at) => Date.parse(at) / 1000,
    )
    const words = {
      salt: uint(1),
      originChain: keccakOfText(HERE),
      originSettler: wordOf(HERE, settler),
      depositor: wordOf(HERE, request.sender),
      inputToken: wordOf(HERE, quote.input.token),
      inputAmount: uint(BigInt(quote.input.amount)),
      destinationChain: keccakOfText(SOLANA_CHAIN),
      destinationSettler: uint(2),
      outputToken: wordOf(SOLANA_CHAIN, SOLANA_MINT),
      outputAmount: uint(BigInt(quote.output.minimumAmount)),
      recipient: wordOf(SOLANA_CHAIN, SOLANA_OWNER),
      recipientTag: uint(0),
      solver: uint(3),
      filler: uint(4),
      openDeadline: uint(expires ?? 0),
      exclusiveUntil: uint(filled ?? 0),
      fillDeadline: uint(filled ?? 0),
      refundAfter: uint((filled ?? 0) + 10),
      attester: wordOf(HERE, ATTESTER),
      integrator: uint(0),
      integratorFee: uint(0),
      ...changes,
    }
    const data = `0xefe16e13${Object.values(words).join('')}`
    const output = { ...quote.output, chain: SOLANA_CHAIN, token: SOLANA_MINT }
    const to = { toChain: SOLANA_CHAIN, toToken: SOLANA_MINT, recipient: SOLANA_OWNER }
    const guarded: Guarded = {
      ...rest,
      quote: { ...quote, output },
      request: { ...request, ...to },
      guards: { ...rest.guards, attesters: [ATTESTER] },
    }
    return evm({ data })(guarded)
  }

/** The word of `open` with the name of the chain that proofs come from. */
const NAME_WORD = 9

/** The recorded order, whose proof comes from the chain of a name. */
const provenBy =
  (name: string): (() => Guarded) =>
  () => {
    const guarded = intent()
    const data = dataOf(Object(guarded.quote.actions.at(-1)).payload)
    const start = SELECTOR + NAME_WORD * 64
    const text = Buffer.from(name).toString('hex').padEnd(64, '0')
    const named = data.slice(0, start) + text + data.slice(start + 64)
    return evm({ data: named })(guardedBy(() => guarded, names('sandbox-b'))())
  }

const solanaKey = (index: number, change: object): Change =>
  instructions((all) =>
    all.map(({ keys, ...one }) => ({
      ...one,
      keys: keys.map((key, at) => (at === index ? { ...key, ...change } : key)),
    })),
  )
const seconds = (value: number): readonly number[] => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return [...bytes]
}
/** Hours after the recorded quotes expire, in seconds. */
const LATE = Date.parse(recorded('evm', 'intent').quote.validity.quoteExpiresAt) / 1000 + 20_000

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
type Hostile = readonly [string, () => Guarded, Change, GuardCode]

const HOSTILE: readonly Hostile[] = [
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
    (): Guarded => ({ ...gateway(), guards: { minimumOutput: BigInt(gateway().quote.output.amount) + 1n } }),
    (g) => g,
    'output_amount',
  ],
  [
    'half of the value',
    gateway,
    amounts({ amount: '499700000000000000', minimumAmount: '499700000000000000', amountUsdApprox: '1000' }),
    'loss',
  ],
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
  [
    'a token sent by the gateway alone, which nobody delivers',
    gateway,
    (g) =>
      evm({
        data: encodeFunctionData({
          abi: parseAbi(['function sendToken(string, string, string, uint256)']),
          args: ['sandbox-b', g.request.recipient, 'WETH', BigInt(g.quote.input.amount)],
        }),
      })(g),
    'unknown_call',
  ],
  ['another recipient of the gateway', gateway, express({ recipient: THIEF }), 'call_recipient'],
  ['another chain of the gateway', gateway, express({ destinationChain: 'elsewhere' }), 'call_chain'],
  ['another amount of the gateway', gateway, express({ inputAmount: 1n }), 'call_input'],
  ['a part of the amount of the gateway', gateway, express({ minimumBridgeAmount: 1n }), 'call_output'],
  ['a swap before the gateway', gateway, express({ inputPath: THIEF }), 'unknown_call'],
  ['a swap behind the gateway', gateway, express({ outputPath: THIEF }), 'unknown_call'],
  ['another recipient of ITS', its, args(INTERCHAIN, swapped(2, THIEF)), 'call_recipient'],
  [
    'the text of a Solana recipient of ITS',
    itsTo(SOLANA_CHAIN, SOLANA_OWNER),
    paidAs(textOf),
    'call_recipient',
  ],
  [
    'the key of a Stellar recipient of ITS',
    itsTo(STELLAR_CHAIN, THIEF_STELLAR),
    paidAs(keyOf),
    'call_recipient',
  ],
  [
    'no recipient of ITS on a chain of another family',
    itsTo('sui:35834a8a', 'abc'),
    paidAs(nothing),
    'call_recipient',
  ],
  ['another token of ITS', its, args(INTERCHAIN, swapped(0, `0x${THIEF_WORD}`)), 'call_input'],
  ['a call on the destination by ITS', its, args(INTERCHAIN, swapped(4, '0x00000000ff')), 'call_extra'],
  ['other gas of ITS', its, args(INTERCHAIN, swapped(5, 1n)), 'call_value'],
  ['another recipient of the router', router, express({ recipient: THIEF }), 'call_recipient'],
  ['another refund address of the router', router, express({ refundAddress: THIEF }), 'call_sender'],
  ['a lower minimum of the router', router, express({ minimumAmount: 1n }), 'call_output'],
  ['another chain of the router', router, express({ destinationChainId: 5n }), 'call_chain'],
  ['another chain by name of the router', router, express({ destinationChain: 'evil' }), 'call_chain'],
  [
    'an integrator of the router',
    router,
    express({ integrator: THIEF, integratorFeeBps: 100 }),
    'call_output',
  ],
  [
    'a delivery that is reserved for years',
    router,
    express({ priorityUntil: 4_000_000_000 }),
    'call_deadline',
  ],
  ['a return that is locked for years', router, express({ returnAfter: 4_000_000_000 }), 'call_deadline'],
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
  ...['2057-01-01T00:00:00Z', 'never', '+275760-09-13T00:00:00Z', undefined].map(
    (refundAfter): Hostile => [
      `a claimable balance that is locked until ${refundAfter}`,
      stellar,
      inQuote(
        (q) =>
          ({
            ...q,
            backend: {
              ...q.backend,
              metadata: {
                ...q.backend.metadata,
                claimableBalance: { uri: 'web+stellar:tx?xdr=', terms: '' },
                refundAfter,
              },
            },
          }) as Quote,
      ),
      'call_deadline',
    ],
  ),
  ['the order of another quote on Stellar', stellar, muxed((id) => id ^ 1n), 'deposit_memo'],
  ['an account without an order on Stellar', stellar, (g) => evm({ address: vaultOf(g) })(g), 'deposit_memo'],
  ['an exact output without a maximum', guardedOnlyBy(exact, {}), (g) => g, 'input_amount'],
  [
    'an exact output above the maximum',
    guardedOnlyBy(exact, { maximumInput: BigInt(exact().quote.input.amount) - 1n }),
    (g) => g,
    'input_amount',
  ],
  ['an exact input above the maximum', guardedBy(gateway, { maximumInput: 1n }), (g) => g, 'input_amount'],
  [
    'less than the exact output',
    exact,
    amounts({ amount: '24999999', minimumAmount: '24999999' }),
    'output_amount',
  ],
  [
    'an exact output that is guaranteed by half',
    exact,
    amounts({ minimumAmount: '12500000' }),
    'output_amount',
  ],
  [
    'a guarantee below the default slippage',
    gateway,
    amounts({ minimumAmount: '980000000000000000' }),
    'output_amount',
  ],
  [
    'a guarantee below the slippage of the request',
    (): Guarded => {
      const guarded = gateway()
      return { ...guarded, request: { ...guarded.request, slippageTolerance: 0.5 } }
    },
    amounts({ minimumAmount: '999300000000000000' }),
    'output_amount',
  ],
  [
    'four actions',
    gateway,
    inQuote((q) => ({ ...q, actions: [...q.actions.slice(0, 1), ...q.actions.slice(0, 1), ...q.actions] })),
    'action_order',
  ],
  [
    'a call of the sender',
    guardedOnlyBy(its, {}),
    (g) => evm({ to: g.request.sender })(g),
    'unknown_contract',
  ],
  [
    'a call of the zero address',
    guardedOnlyBy(its, {}),
    evm({ to: `0x${'0'.repeat(40)}` }),
    'unknown_contract',
  ],
  [
    "another token service than Axelar's",
    guardedOnlyBy(its, names('sandbox-b', { its: THIEF })),
    (g) => g,
    'unknown_contract',
  ],
  [
    'the token service in place of the router',
    (): Guarded => ({
      ...gateway(),
      guards: {
        ...names('sandbox-b', { its: targetOf(gateway()) }),
        contracts: { [gateway().request.fromChain]: [THIEF] },
      },
    }),
    (g) => g,
    'unknown_contract',
  ],
  [
    'an approval of one unit more',
    gateway,
    (g) => approve(targetOf(g) as `0x${string}`, 10n ** 18n + 1n)(g),
    'approval_amount',
  ],
  ['an unlimited approval for an unknown contract', maximal(gateway, {}), UNLIMITED, 'approval_amount'],
  ['a native fee to an unknown contract', guardedOnlyBy(its, {}), (g) => g, 'native_fee'],
  [
    'another chain of the gateway, as its metadata says',
    guardedBy(gateway, names('sandbox-b')),
    (g) =>
      inQuote(
        (q) =>
          ({ ...q, backend: { ...q.backend, metadata: { destinationAxelarChain: 'sandbox-c' } } }) as Quote,
      )(express({ destinationChain: 'sandbox-c' })(g)),
    'call_chain',
  ],
  ['another chain of ITS', its, args(INTERCHAIN, swapped(1, 'elsewhere')), 'call_chain'],
  [
    'another chain of ITS, as its metadata says',
    guardedBy(its, names('sandbox-b')),
    (g) =>
      inQuote(
        (q) =>
          ({ ...q, backend: { ...q.backend, metadata: { destinationAxelarChain: 'sandbox-c' } } }) as Quote,
      )(args(INTERCHAIN, swapped(1, 'sandbox-c'))(g)),
    'call_chain',
  ],
  ['another amount of ITS', its, args(INTERCHAIN, swapped(3, 10n ** 18n + 1n)), 'call_input'],
  [
    'an interchain token that is not the input',
    (): Guarded => guardedBy(its, { tokenIds: known(its(), OTHER_ID, idOf(its())) })(),
    (g) => g,
    'token_id',
  ],
  [
    'an interchain token that is not the output',
    (): Guarded => guardedBy(its, { tokenIds: known(its(), idOf(its()), OTHER_ID) })(),
    (g) => g,
    'token_id',
  ],
  [
    'an interchain token of its own, as its tracking says',
    (): Guarded => guardedBy(its, { tokenIds: known(its(), idOf(its()), idOf(its())) })(),
    (g) =>
      inQuote(
        (q) =>
          ({
            ...q,
            backend: { ...q.backend, tracking: { ...q.backend.tracking, tokenId: OTHER_ID } },
          }) as Quote,
      )(args(INTERCHAIN, swapped(0, OTHER_ID))(g)),
    'token_id',
  ],
  ['a router order that is valid for years', router, express({ deadline: 4_000_000_000 }), 'call_deadline'],
  ['a router order of another input token', router, express({ inputToken: THIEF }), 'call_input'],
  ['a router order of another output token', router, express({ outputToken: THIEF }), 'call_output'],
  ['a router order that bridges too little', router, express({ minimumBridgeAmount: 1n }), 'call_output'],
  [
    'a swap that begins with another token',
    router,
    express({ inputPath: `${THIEF}000bb8${THIEF.slice(2)}` }),
    'call_input',
  ],
  [
    'a swap that yields less than the minimum',
    guardedBy(router, { minimumBridgeAmount: 10n, bridgeToken: THIEF }),
    (g) =>
      express({
        inputPath: `${g.quote.input.token.toLowerCase()}000bb8${THIEF.slice(2)}`,
        minimumBridgeAmount: 9n,
      })(g),
    'call_output',
  ],
  [
    'a swap into another token than the one that is to cross',
    guardedBy(router, { minimumBridgeAmount: 10n, bridgeToken: targetOf(gateway()) }),
    (g) =>
      express({
        inputPath: `${g.quote.input.token.toLowerCase()}000bb8${THIEF.slice(2)}`,
        minimumBridgeAmount: 10n,
      })(g),
    'call_input',
  ],
  [
    'a router order for another chain of Axelar, as its metadata says',
    guardedBy(router, names('sandbox-b')),
    (g) =>
      inQuote(
        (q) =>
          ({
            ...q,
            backend: {
              ...q.backend,
              metadata: { ...q.backend.metadata, destinationAxelarChain: 'sandbox-c' },
            },
          }) as Quote,
      )(express({ destinationChain: 'sandbox-c' })(g)),
    'call_chain',
  ],
  [
    'an order that opens after its quote',
    intent,
    word(order('openDeadline'), LATE.toString(16)),
    'call_deadline',
  ],
  ['an order that its holder may open for days', intent, openForDays, 'call_deadline'],
  [
    'an order that is filled after its deadline',
    intent,
    word(order('fillDeadline'), LATE.toString(16)),
    'call_deadline',
  ],
  ['an order that another chain proves', provenBy('sandbox-c'), (g) => g, 'call_chain'],
  ['an attested order of an unknown attester', attested({ attester: THIEF_WORD }), (g) => g, 'attester'],
  [
    'an attested order of another settler',
    attested({ originSettler: THIEF_WORD }),
    (g) => g,
    'unknown_contract',
  ],
  ['an attested order of another depositor', attested({ depositor: THIEF_WORD }), (g) => g, 'call_sender'],
  [
    'an attested order from another chain',
    attested({ originChain: keccakOfText(THERE) }),
    (g) => g,
    'call_chain',
  ],
  [
    'an attested order to another chain',
    attested({ destinationChain: keccakOfText(THERE) }),
    (g) => g,
    'call_chain',
  ],
  ['an attested order of another token', attested({ inputToken: THIEF_WORD }), (g) => g, 'call_input'],
  ['an attested order of another amount', attested({ inputAmount: uint(1) }), (g) => g, 'call_input'],
  ['an attested order that gives less', attested({ outputAmount: uint(1) }), (g) => g, 'call_output'],
  [
    'an attested order that gives another token',
    attested({ outputToken: THIEF_WORD }),
    (g) => g,
    'call_output',
  ],
  [
    'an attested order for another recipient',
    attested({ recipient: THIEF_WORD }),
    (g) => g,
    'call_recipient',
  ],
  ['an attested order with a tag', attested({ recipientTag: uint(7) }), (g) => g, 'call_recipient'],
  ['an attested order that opens late', attested({ openDeadline: uint(LATE) }), (g) => g, 'call_deadline'],
  [
    'an attested order that locks the deposit',
    attested({ refundAfter: uint(4_000_000_000) }),
    (g) => g,
    'call_deadline',
  ],
  ['an unknown attester on Solana', guardedBy(solana, { attesters: [THIEF] }), (g) => g, 'attester'],
  ['a deposit on Solana that opens late', solana, bytes(312, seconds(LATE)), 'call_deadline'],
  ['a deposit on Solana that is filled late', solana, bytes(316, seconds(LATE)), 'call_deadline'],
  ['a deposit on Solana that is locked', solana, bytes(320, seconds(4_000_000_000)), 'call_deadline'],
  ['another tag on Solana', solana, bytes(296, [1]), 'call_recipient'],
  ['another output token on Solana', solana, bytes(160, [1, 2, 3]), 'call_output'],
  ['another depositor on Solana', solana, solanaKey(0, { pubkey: SOLANA_MINT }), 'call_sender'],
  ['a mint that is written on Solana', solana, solanaKey(6, { isWritable: true }), 'call_extra'],
  ['a program that is written on Solana', solana, solanaKey(3, { isWritable: true }), 'call_extra'],
  ['another system program', solana, solanaKey(3, { pubkey: SOLANA_MINT }), 'unknown_contract'],
  ['another token program', solana, solanaKey(7, { pubkey: SOLANA_MINT }), 'unknown_contract'],
  [
    'another program of associated accounts',
    solana,
    solanaKey(8, { pubkey: SOLANA_MINT }),
    'unknown_contract',
  ],
  [
    'accounts for the compute budget',
    solana,
    instructions((all) => [
      { ...budget([2, 64, 66, 15, 0]), keys: [{ pubkey: SOLANA_OWNER, isSigner: true, isWritable: true }] },
      ...all.slice(-1),
    ]),
    'call_extra',
  ],
  [
    'an account more on Solana',
    solana,
    instructions((all) =>
      all.map((one, at) =>
        at === all.length - 1 ? { ...one, keys: [...one.keys, ...one.keys.slice(-1)] } : one,
      ),
    ),
    'call_input',
  ],
  [
    'two payments on Stellar',
    stellar,
    inQuote((q) => ({ ...q, actions: [...q.actions, ...q.actions] })),
    'action_order',
  ],
  ['other decimals on Stellar', guardedBy(stellar, { inputDecimals: 6 }), (g) => g, 'token_decimals'],
  [
    'a deposit of yesterday on Stellar',
    stellar,
    muxed((id) => id - ((2n * 86_400_000n) << 16n)),
    'deposit_memo',
  ],
]

const NETWORK = { passphrase: 'OpenRFQ sandbox', assets: [] }

const guard = async (guarded: Guarded): Promise<void> => {
  checkTerms(guarded)
  const type = guarded.quote.actions.at(-1)?.payload.type
  if (type === 'evm_transaction') guardEvmQuote(guarded)
  else if (type === 'solana_instructions') await guardSolanaQuote(guarded)
  else await guardStellarQuote(guarded, NETWORK)
}

test('no guard refuses a quote of an honest service', async () => {
  const exact = ['intent', 'gateway', 'gateway-express'].map((type) => () => recorded('exactOutput', type))
  for (const honest of [
    gateway,
    intent,
    its,
    router,
    solana,
    stellar,
    attested(),
    provenBy('sandbox-b'),
    ...exact,
  ])
    await guard(honest())
  await guard(guardedBy(its, { tokenIds: known(its(), idOf(its()), idOf(its())) })())
  await guard(paidAs(keyOf)(itsTo(SOLANA_CHAIN, SOLANA_OWNER)()))
  await guard(paidAs(textOf)(itsTo(STELLAR_CHAIN, THIEF_STELLAR)()))
  await guard(UNLIMITED(maximal(gateway, gateway().guards)()))
})

/** The checks that a guard reports as skipped. */
const missingOf = async (guarded: Guarded): Promise<readonly MissingGuard[]> => {
  const missing = new Set<MissingGuard>()
  await guard({ ...guarded, lacks: (one) => void missing.add(one) })
  return [...missing].toSorted()
}

/** A quote in place of an expired one, changed. */
const replacing = (honest: () => Guarded, change: Change): Guarded => ({
  ...change(honest()),
  accepted: honest().quote,
})

test('an expired quote is not replaced by one that calls or pays somebody else, or costs a higher native fee', async () => {
  for (const honest of [gateway, its, intent, solana, stellar]) await guard(replacing(honest, (g) => g))
  const worse: readonly Guarded[] = [
    replacing(guardedOnlyBy(gateway, {}), (g) => evm({ to: THIEF })(approve(THIEF, 10n ** 18n)(g))),
    replacing(its, (g) => evm({ value: (BigInt(payloadValue(g)) + 1n).toString() })(g)),
    replacing(
      solana,
      instructions((all) => all.map((one) => ({ ...one, programId: SOLANA_MINT }))),
    ),
    replacing(
      guardedOnlyBy(stellar, {}),
      muxed((id) => id, THIEF_STELLAR),
    ),
  ]
  for (const guarded of worse)
    await assert.rejects(guard(guarded), { code: 'unsafe', guard: 'worse_quote' }, guarded.quote.quoteId)
})

test('what the guards do not say is told, and nothing of what they do', async () => {
  const price: Guards = { minimumOutput: 1n, maximumNativeFee: 10n ** 16n }
  const axelar = names('sandbox-b', { its: targetOf(its()) })
  const tokens: Guards = { tokenIds: known(its(), idOf(its()), idOf(its())) }
  const named: Guards = { ...router().guards, ...price, ...names('sandbox-b') }
  const swapping = () =>
    express({
      inputPath: `${router().quote.input.token.toLowerCase()}000bb8${THIEF.slice(2)}`,
      minimumBridgeAmount: 10n,
    })(router())
  const told: readonly (readonly [() => Guarded, Guards, readonly MissingGuard[]])[] = [
    [gateway, price, ['contracts', 'destination_chain']],
    [gateway, { ...gateway().guards, ...axelar }, ['minimum_output', 'native_fee']],
    [gateway, { ...gateway().guards, ...axelar, ...price }, []],
    [its, axelar, ['minimum_output', 'native_fee', 'output_token']],
    [its, { ...axelar, ...tokens, ...price }, []],
    [router, { ...router().guards, ...price }, ['destination_chain']],
    [router, named, []],
    [swapping, { ...named, minimumBridgeAmount: 10n, bridgeToken: THIEF }, []],
    [swapping, { ...named, minimumBridgeAmount: 10n }, ['bridge_amount']],
    [swapping, { ...named, bridgeToken: THIEF }, ['bridge_amount']],
    [intent, {}, ['contracts', 'destination_chain', 'minimum_output']],
    [intent, { ...intent().guards, ...price }, ['destination_chain']],
    [intent, { ...intent().guards, ...price, ...names('sandbox-b') }, []],
    [attested(), { ...intent().guards, ...price }, ['attester']],
    [attested(), { ...intent().guards, ...price, attesters: [ATTESTER] }, []],
    [solana, { ...solana().guards, ...price }, ['attester']],
    [solana, { ...solana().guards, ...price, attesters: [ATTESTER] }, []],
    [stellar, { ...stellar().guards, ...price }, ['deposit_order']],
    [exact, { ...exact().guards, ...axelar, maximumNativeFee: 10n ** 16n }, []],
  ]
  for (const [honest, guards, missing] of told)
    assert.deepEqual(await missingOf({ ...honest(), guards }), missing, JSON.stringify(missing))
})

test('every hostile quote is refused by its own guard, before anything is signed', async (t) => {
  assert.ok(HOSTILE.length >= 120, `${HOSTILE.length}`)
  for (const [name, honest, change, code] of HOSTILE)
    await t.test(name, async () => {
      await assert.rejects(guard(change(honest())), { name: 'ExecutionError', code: 'unsafe', guard: code })
    })
})
