import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeBudget } from 'openrfq/src/chains/solana/instructions.ts'
import { itsPlaces, sendingPlaces, transferInstruction } from 'openrfq/src/protocols/axelar/its-solana.ts'
import { recorded } from '../../test/recorded-quotes.ts'
import type { GuardCode } from '../guard/guard-code.ts'
import type { Guarded, Guards } from '../guard/guards.ts'
import type { MissingGuard } from '../guard/missing-guard.ts'
import type { SolanaInstructions } from '../wire/action.ts'
import type { Quote } from '../wire/quote.ts'
import { guardSolanaQuote } from './guard-solana-quote.ts'

type Instruction = SolanaInstructions['instructions'][number]
type Payload = Pick<SolanaInstructions, 'instructions' | 'addressLookupTableAddresses'>

const { request: REQUEST, quote: RECORDED, ...REST } = recorded('solana', 'intent')
const SOLANA = RECORDED.input.chain
const EVM = 'eip155:31337'
const TOKEN_ID = `0x${'7a'.repeat(32)}`
const [ITS, GATEWAY, GAS_SERVICE, MINT, STRANGER] = [
  'itsJo4kNJ3mdh3requwbtTTt7vyYTedp1pxhn2KiHMc',
  'gtwT4uGVTYSPnTGv6rSpMheyFyczUicxVWKqdtxNGw9',
  'gasp4cuXePbbjB52dWv5pwEpFtPKZWxYbPQvGHbMQWh',
  'JQ7FPvc2WM4eQ4ruTMUhXD9Zzd6THRf8wro1t1EHFpc',
  '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
]
const RECIPIENT = '0x00000000000000000000000000000000000000Aa'
const AMOUNT = 2_000_003n
const GAS = 1_500_000n

const GUARDS: Guards = {
  bridge: {
    [SOLANA]: { name: 'solana', its: ITS, gateway: GATEWAY, gasService: GAS_SERVICE },
    [EVM]: { name: 'ethereum' },
  },
  tokenIds: { [SOLANA]: { [MINT]: TOKEN_ID }, [EVM]: { [`0x${'3'.repeat(40)}`]: TOKEN_ID } },
  minimumOutput: 1n,
  maximumNativeFee: 2_000_000n,
}

const request = { ...REQUEST, fromToken: MINT, toChain: EVM, toToken: `0x${'3'.repeat(40)}` }

/** What a service says that it sends. */
type Sent = Parameters<typeof transferInstruction>[0]
const SENT: Sent = {
  tokenId: TOKEN_ID,
  destinationChain: 'ethereum',
  sender: request.sender,
  recipient: RECIPIENT.toLowerCase(),
  amount: AMOUNT,
  gasValue: GAS,
  mint: { address: MINT, decimals: 6 },
}

const transferOf = (changes: Partial<Sent> = {}, its = ITS): Instruction => {
  const sent = { ...SENT, ...changes }
  return transferInstruction(sent, sendingPlaces(GATEWAY, GAS_SERVICE, its), itsPlaces(its, sent.tokenId))
}

const guardedOf = (payload: Partial<Payload> = {}, changes: Partial<Quote> = {}): Guarded => {
  const [action] = RECORDED.actions
  assert.ok(action)
  const instructions = [...computeBudget(400_000, 10n), transferOf()]
  const whole = {
    type: 'solana_instructions' as const,
    ...{ instructions, addressLookupTableAddresses: [] },
    ...payload,
  }
  return {
    ...REST,
    request: { ...request, recipient: RECIPIENT, amount: AMOUNT },
    guards: GUARDS,
    quote: {
      ...RECORDED,
      backend: {
        type: 'its',
        name: 'Interchain Token Service',
        tracking: { tokenId: TOKEN_ID, sourceAxelarChain: 'solana', destinationAxelarChain: 'ethereum' },
        metadata: {},
      },
      input: { chain: SOLANA, token: MINT, amount: AMOUNT.toString() },
      output: { chain: EVM, token: request.toToken, amount: '5', minimumAmount: '5' },
      fees: {
        ...RECORDED.fees,
        user: { ...RECORDED.fees.gas, amount: GAS.toString(), paymentMethod: 'tx_value' },
      },
      actions: [{ ...action, payload: whole }],
      ...changes,
    },
  }
}

const withTransfer = (instruction: Instruction, more: readonly Instruction[] = []): Guarded =>
  guardedOf({ instructions: [...computeBudget(400_000, 10n), instruction, ...more] })

/** The transfer with an account changed. */
const withKey = (at: number, change: Partial<Instruction['keys'][number]>): Guarded => {
  const { keys, ...rest } = transferOf()
  return withTransfer({
    ...rest,
    keys: keys.map((key, place) => (place === at ? { ...key, ...change } : key)),
  })
}

/** The transfer with bytes in place of its last ones. */
const withTail = (bytes: readonly number[], dropped: number): Guarded => {
  const transfer = transferOf()
  const data = Buffer.from(transfer.data, 'base64')
  return withTransfer({
    ...transfer,
    data: Buffer.concat([data.subarray(0, data.length - dropped), Buffer.from(bytes)]).toString('base64'),
  })
}

const guardedBy = (changes: Guards, guarded = guardedOf()): Guarded => ({
  ...guarded,
  guards: { ...guarded.guards, ...changes },
})

const bridged = (changes: object): Guards => ({
  bridge: { ...GUARDS.bridge, [SOLANA]: { name: 'solana', its: ITS, ...changes } },
})

const other = (mint: string): Partial<Sent> => ({ mint: { address: mint, decimals: 6 } })
const OTHER_ID = `0x${'8b'.repeat(32)}`

const HOSTILE: readonly (readonly [string, Guarded, GuardCode])[] = [
  ['another program', withTransfer(transferOf({}, STRANGER)), 'unknown_contract'],
  ['no program that the guards name', guardedBy({ bridge: {} }), 'unknown_contract'],
  ['another recipient', withTransfer(transferOf({ recipient: `0x${'b'.repeat(40)}` })), 'call_recipient'],
  [
    'a recipient with bytes behind',
    withTransfer(transferOf({ recipient: `${SENT.recipient}00` })),
    'call_recipient',
  ],
  ['another destination chain', withTransfer(transferOf({ destinationChain: 'polygon' })), 'call_chain'],
  [
    'another destination chain, as its tracking says',
    guardedOf(
      { instructions: [transferOf({ destinationChain: 'polygon' })] },
      {
        backend: {
          type: 'its',
          name: 'ITS',
          tracking: { tokenId: TOKEN_ID, destinationAxelarChain: 'polygon' },
          metadata: {},
        },
      },
    ),
    'call_chain',
  ],
  ['more than the input', withTransfer(transferOf({ amount: AMOUNT + 1n })), 'call_input'],
  ['less than the input', withTransfer(transferOf({ amount: AMOUNT - 1n })), 'call_input'],
  ['another mint', withTransfer(transferOf(other(STRANGER))), 'call_input'],
  ['another token id', withTransfer(transferOf({ tokenId: OTHER_ID })), 'call_input'],
  [
    'a token id that is not the input, as its tracking says',
    guardedOf(
      { instructions: [transferOf({ tokenId: OTHER_ID })] },
      {
        backend: {
          type: 'its',
          name: 'ITS',
          tracking: { tokenId: OTHER_ID, destinationAxelarChain: 'ethereum' },
          metadata: {},
        },
      },
    ),
    'token_id',
  ],
  ['more gas than the quote shows', withTransfer(transferOf({ gasValue: GAS + 1n })), 'call_value'],
  ['more gas than the guards allow', guardedBy({ maximumNativeFee: GAS - 1n }), 'native_fee'],
  ['gas that the quote does not show', guardedOf({}, { fees: RECORDED.fees }), 'call_value'],
  ['an instruction more', withTransfer(transferOf(), [transferOf()]), 'action_order'],
  [
    'an account more',
    withTransfer({ ...transferOf(), keys: [...transferOf().keys, ...transferOf().keys.slice(-1)] }),
    'call_extra',
  ],
  ['an account less', withTransfer({ ...transferOf(), keys: transferOf().keys.slice(0, -1) }), 'call_extra'],
  ['another payer', withKey(0, { pubkey: STRANGER }), 'call_sender'],
  ['another authority', withKey(1, { pubkey: STRANGER }), 'call_sender'],
  ['a signer more', withKey(10, { isSigner: true }), 'call_sender'],
  ['a sender that does not sign', withKey(1, { isSigner: false }), 'call_extra'],
  ['a foreign account that is written', withKey(9, { isWritable: true }), 'call_extra'],
  ['a token account of the sender for another mint', withKey(13, { pubkey: STRANGER }), 'unknown_contract'],
  ['a token account of a stranger for the manager’s', withKey(14, { pubkey: STRANGER }), 'unknown_contract'],
  ['a treasury of a stranger', withKey(6, { pubkey: STRANGER }), 'unknown_contract'],
  ['a gas service of a stranger', withKey(7, { pubkey: STRANGER }), 'unknown_contract'],
  ['another gas service than Axelar’s', guardedBy(bridged({ gasService: STRANGER })), 'unknown_contract'],
  ['another gateway than Axelar’s', guardedBy(bridged({ gateway: STRANGER })), 'unknown_contract'],
  ['another token program', withKey(11, { pubkey: STRANGER }), 'unknown_contract'],
  ['another system program', withKey(15, { pubkey: STRANGER }), 'unknown_contract'],
  ['another manager', withKey(10, { pubkey: STRANGER }), 'unknown_contract'],
  ['a lookup table', guardedOf({ addressLookupTableAddresses: [STRANGER] }), 'call_extra'],
  ['a call on the destination chain', withTail([1, 1, 0, 0, 0, 9, 0, 0], 3), 'call_extra'],
  ['bytes behind the transfer', withTail([0], 0), 'call_extra'],
  ['a transfer that breaks off', withTail([], 4), 'unknown_call'],
  [
    'another call of the token service',
    withTransfer({ ...transferOf(), data: 'AAAAAAAAAAA=' }),
    'unknown_call',
  ],
  ['data that is no base64', withTransfer({ ...transferOf(), data: '?' }), 'unknown_call'],
  [
    'a fee for a place in the block that eats the account',
    guardedOf({ instructions: [...computeBudget(1_400_000, 10_000_000_000n), transferOf()] }),
    'priority_fee',
  ],
  [
    'more gas than the expired quote',
    {
      ...guardedOf(),
      accepted: guardedOf({}, { fees: { ...RECORDED.fees, user: { ...RECORDED.fees.user, amount: '1' } } })
        .quote,
    },
    'worse_quote',
  ],
]

const missingOf = async (guarded: Guarded): Promise<readonly MissingGuard[]> => {
  const missing = new Set<MissingGuard>()
  await guardSolanaQuote({ ...guarded, lacks: (one) => void missing.add(one) })
  return [...missing].toSorted()
}

test('an interchain transfer from Solana passes, and the guard lists the checks it skips', async () => {
  assert.deepEqual(await missingOf(guardedOf()), [])
  assert.deepEqual(await missingOf(guardedBy(bridged({}))), [])
  const { contracts, ...named } = { ...GUARDS, contracts: { [SOLANA]: [ITS] } }
  assert.deepEqual(await missingOf({ ...guardedOf(), guards: { contracts } }), [
    'destination_chain',
    'native_fee',
    'output_token',
  ])
  assert.deepEqual(await missingOf(guardedBy({ ...named, maximumNativeFee: undefined })), ['native_fee'])
})

for (const [name, guarded, guard] of HOSTILE)
  test(`an interchain transfer from Solana with ${name} is refused`, () =>
    assert.rejects(guardSolanaQuote(guarded), { name: 'ExecutionError', code: 'unsafe', guard }))
