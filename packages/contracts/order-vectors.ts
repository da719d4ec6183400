import { type Hex, keccak256, pad, stringToHex, zeroHash } from 'viem'
import {
  attestersWord,
  chainWord,
  encodeOrder,
  fillDigestOf,
  KIND,
  kindsOf,
  ledgerId,
  ORDER_TYPE,
  type Order,
  orderIdOf,
} from './order-hashes.ts'

type Attesters = { readonly threshold: number; readonly members: readonly Hex[] }
type Vector = {
  readonly name: string
  readonly order: Order
  readonly attesters?: Attesters
  /** Who is repaid, when it is not the order's solver. */
  readonly stranger?: readonly [account: Hex, kind: number]
}

const SOLANA = ledgerId('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
const STELLAR = ledgerId('stellar:pubnet')
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const account = (digit: string): Hex => pad(`0x${digit.repeat(40)}`)

const MEMBERS: readonly Hex[] = ['1', '5', 'c'].map((digit): Hex => `0x${digit.repeat(40)}`)
const ONE: Attesters = { threshold: 1, members: MEMBERS.slice(0, 1) }
const TWO: Attesters = { threshold: 2, members: MEMBERS }
const wordOf = ({ threshold, members }: Attesters): Hex => attestersWord(threshold, members)

/** From Ethereum to Base, proven by Axelar; the other vectors change it. */
const BETWEEN_EVM: Order = {
  salt: `0x0000000000000000000000000000002a${'9e'.repeat(16)}`,
  originChainId: 1n,
  originSettler: account('e'),
  depositor: account('a'),
  inputToken: pad('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
  inputAmount: 1_000_000_000n,
  destinationChainId: 8453n,
  destinationName: chainWord('base'),
  destinationSettler: account('e'),
  outputToken: pad('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
  outputAmount: 999_000_000n,
  recipient: account('b'),
  recipientTag: 0n,
  solver: account('5'),
  filler: account('f'),
  accountKinds: kindsOf(KIND.evm, KIND.evm, KIND.evm, KIND.evm, KIND.evm),
  openDeadline: 1_800_000_060,
  exclusiveUntil: 1_800_000_300,
  fillDeadline: 1_800_000_600,
  refundAfter: 1_800_007_200,
  attesters: zeroHash,
  integrator: account('7'),
  integratorFee: 1_000_000n,
}

const { evm, solana, stellarAccount, stellarContract, stellarMuxed, none } = KIND

const TO_LEDGER = {
  destinationName: zeroHash,
  exclusiveUntil: BETWEEN_EVM.fillDeadline,
  attesters: wordOf(ONE),
}

const VECTORS: readonly Vector[] = [
  { name: 'EVM to EVM', order: BETWEEN_EVM },
  {
    name: 'EVM to EVM, native, without integrator, with the largest amounts and times',
    order: {
      ...BETWEEN_EVM,
      originChainId: 2n ** 64n - 1n,
      inputToken: zeroHash,
      inputAmount: 2n ** 256n - 1n,
      outputToken: zeroHash,
      outputAmount: 2n ** 256n - 1n,
      accountKinds: kindsOf(evm, evm, evm, evm, none),
      refundAfter: 2 ** 32 - 1,
      integrator: zeroHash,
      integratorFee: 0n,
    },
  },
  {
    name: 'EVM to Solana, one attester',
    order: {
      ...BETWEEN_EVM,
      ...TO_LEDGER,
      destinationChainId: SOLANA,
      destinationSettler: word('51'),
      outputToken: word('52'),
      recipient: word('53'),
      filler: word('54'),
      accountKinds: kindsOf(evm, solana, evm, solana, evm),
    },
    attesters: ONE,
  },
  {
    name: 'EVM to a muxed account of Stellar, two of three attesters, filled by a stranger',
    order: {
      ...BETWEEN_EVM,
      ...TO_LEDGER,
      exclusiveUntil: BETWEEN_EVM.exclusiveUntil,
      destinationChainId: STELLAR,
      destinationSettler: word('61'),
      outputToken: word('62'),
      recipient: word('63'),
      recipientTag: 2n ** 64n - 1n,
      filler: word('64'),
      accountKinds: kindsOf(evm, stellarMuxed, evm, stellarAccount, evm),
      attesters: wordOf(TWO),
    },
    attesters: TWO,
    stranger: [account('9'), evm],
  },
  {
    name: 'Solana to EVM, two of three attesters, filled by a stranger',
    order: {
      ...BETWEEN_EVM,
      originChainId: SOLANA,
      originSettler: word('51'),
      depositor: word('53'),
      inputToken: zeroHash,
      destinationName: zeroHash,
      solver: word('54'),
      accountKinds: kindsOf(solana, evm, solana, evm, none),
      attesters: wordOf(TWO),
      integrator: zeroHash,
      integratorFee: 0n,
    },
    attesters: TWO,
    stranger: [word('59'), solana],
  },
  {
    name: 'A contract account of Stellar to EVM, one attester',
    order: {
      ...BETWEEN_EVM,
      ...TO_LEDGER,
      originChainId: STELLAR,
      originSettler: word('61'),
      depositor: word('65'),
      inputToken: word('62'),
      solver: word('66'),
      accountKinds: kindsOf(stellarContract, evm, stellarAccount, evm, stellarAccount),
      integrator: word('67'),
    },
    attesters: ONE,
  },
  {
    name: 'Solana to Stellar, one attester',
    order: {
      ...BETWEEN_EVM,
      ...TO_LEDGER,
      originChainId: SOLANA,
      originSettler: word('51'),
      depositor: word('53'),
      inputToken: word('52'),
      destinationChainId: STELLAR,
      destinationSettler: word('61'),
      outputToken: word('62'),
      recipient: word('63'),
      solver: word('54'),
      filler: word('66'),
      accountKinds: kindsOf(solana, stellarAccount, solana, stellarContract, solana),
      integrator: word('57'),
    },
    attesters: ONE,
  },
]

const FILLED_AT = 1_800_000_500

const textOf = ({ name, order, attesters, stranger }: Vector) => {
  const orderId = orderIdOf(order)
  const [repayTo, repayToKind] = stranger ?? [
    order.solver,
    Number.parseInt(order.accountKinds.slice(6, 8), 16),
  ]
  const fill = { orderId, repayTo, repayToKind, filledAt: FILLED_AT }
  return {
    name,
    order: Object.fromEntries(
      Object.entries(order).map(([field, value]) => [
        field,
        typeof value === 'bigint' ? String(value) : value,
      ]),
    ),
    words: encodeOrder(order)
      .slice(2)
      .match(/.{64}/g)
      ?.map((digits) => `0x${digits}`),
    id: orderId,
    ...(attesters === undefined ? {} : { attesters: { ...attesters, word: wordOf(attesters) } }),
    fill: { repayTo, repayToKind, filledAt: FILLED_AT, digest: fillDigestOf(fill) },
  }
}

/** The text of vectors/orders.json: orders as words, their ids and the digests of attestations. */
export const orderVectors = (): string =>
  `${JSON.stringify(
    {
      orderType: ORDER_TYPE,
      orderTypeHash: keccak256(stringToHex(ORDER_TYPE)),
      orders: VECTORS.map(textOf),
    },
    null,
    2,
  )}\n`
