import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { AXELAR_ABI } from '@openrfq/sandbox/test/axelar-contracts.ts'
import { type Call, type Event, openChain } from '@openrfq/sandbox/test/chain-calls.ts'
import { type Artifact, ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import {
  type Abi,
  concat,
  encodeAbiParameters,
  type Hex,
  hexToBigInt,
  keccak256,
  pad,
  parseAbiParameters,
  stringToHex,
  zeroHash,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import {
  attestersWord,
  chainWord,
  encodeOrder,
  fillTypedData,
  KIND,
  kindsOf,
  ledgerId,
  ORDER_TYPE,
  type Order,
  orderIdOf,
} from '../../order-hashes.ts'
import { approved, messagesOf } from './steps.ts'
import {
  DEPOSITOR,
  deployBy,
  FILLER,
  fund,
  INTEGRATOR,
  RECIPIENT,
  SIGNER,
  type Side,
  SOLVER,
  STRANGER,
  startSides,
  WINDOW,
  WORLD_ARTIFACTS,
  type World,
} from './world.ts'

/** The artifact of the settler under test. */
export const SETTLER: Artifact = ownArtifact('settlers/Settler')

const { factory, token, permitToken, permit2, puppet, wallet } = WORLD_ARTIFACTS
const ABI: Abi = [
  ...[SETTLER, factory, token, permitToken, permit2, puppet].flatMap(({ abi }) => [...abi]),
  ...wallet.abi.filter((item) => item.type === 'error'),
  ...AXELAR_ABI,
].filter(({ type }) => type === 'function' || type === 'event' || type === 'error')

/** Starts two chains with the settler at one address. The caller stops them. */
export const startSettlers = async (
  code: Hex = SETTLER.bytecode,
): Promise<{ readonly world: World; readonly stop: () => Promise<void> }> => {
  const { sides, stop } = await startSides()
  const open = async (bare: (typeof sides)[number]): Promise<Side> => {
    const side = { ...bare, ...openChain(bare.number, { ...bare, stop }, ABI) }
    const settler = await deployBy(side, code, zeroHash)
    for (const account of [DEPOSITOR, FILLER, STRANGER, SIGNER.address])
      await fund({ ...side, settler }, account)
    return { ...side, settler }
  }
  const [a, b] = [await open(sides[0]), await open(sides[1])]
  assert.equal(a.settler, b.settler)
  return { world: { a, b, settler: a.settler }, stop }
}

/** Attesters by rising address. */
export const ATTESTERS: readonly PrivateKeyAccount[] = ['41', '42', '43']
  .map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))
  .toSorted((one, other) => (hexToBigInt(one.address) < hexToBigInt(other.address) ? -1 : 1))

/** A threshold and the members of a set. */
export type Attesters = { readonly threshold: number; readonly members: readonly Hex[] }
const addresses = ATTESTERS.map(({ address }) => address)
export const ONE_OF_ONE: Attesters = { threshold: 1, members: addresses.slice(0, 1) }
export const TWO_OF_THREE: Attesters = { threshold: 2, members: addresses }

/** The word of an order for a set. */
export const wordOf = ({ threshold, members }: Attesters): Hex => attestersWord(threshold, members)

/** Accounts on a ledger. */
export const LEDGER_SETTLER: Hex = `0x${'a1'.repeat(32)}`
export const LEDGER_ACCOUNT: Hex = `0x${'a2'.repeat(32)}`
const LEDGER = ledgerId('solana:test')
const { evm, solana, none } = KIND

/** An order from one chain to the other, tokens for tokens, with a fee. */
export const between = async ({ a, b, settler }: World, part: Partial<Order> = {}): Promise<Order> => {
  const now = Math.max(await a.now(), await b.now())
  return {
    salt: `0x${randomBytes(32).toString('hex')}`,
    originChainId: BigInt(a.number),
    originSettler: pad(settler),
    depositor: pad(DEPOSITOR),
    inputToken: pad(a.token),
    inputAmount: 1_000_000n,
    destinationChainId: BigInt(b.number),
    destinationName: chainWord(b.axelarName),
    destinationSettler: pad(settler),
    outputToken: pad(b.token),
    outputAmount: 990_000n,
    recipient: pad(RECIPIENT),
    recipientTag: 0n,
    solver: pad(SOLVER),
    filler: pad(FILLER),
    accountKinds: kindsOf(evm, evm, evm, evm, evm),
    openDeadline: now + 600,
    exclusiveUntil: now + 900,
    fillDeadline: now + 1200,
    refundAfter: now + 1200 + WINDOW,
    attesters: zeroHash,
    integrator: pad(INTEGRATOR),
    integratorFee: 1000n,
    ...part,
  }
}

/** An order from the first chain to a ledger, whose attesters may attest strangers' fills. */
export const outOf = async (world: World, part: Partial<Order> = {}): Promise<Order> =>
  between(world, {
    destinationChainId: LEDGER,
    destinationName: zeroHash,
    destinationSettler: LEDGER_SETTLER,
    outputToken: LEDGER_ACCOUNT,
    recipient: `0x${'a3'.repeat(32)}`,
    filler: `0x${'a4'.repeat(32)}`,
    accountKinds: kindsOf(evm, solana, evm, solana, evm),
    attesters: wordOf(TWO_OF_THREE),
    ...part,
  })

/** An order from the first chain to a ledger with one attester, which repays the solver alone. */
export const outByOne = async (world: World, part: Partial<Order> = {}): Promise<Order> => {
  const order = await outOf(world, { attesters: wordOf(ONE_OF_ONE) })
  return { ...order, exclusiveUntil: order.fillDeadline, ...part }
}

/** An order from a ledger to the second chain. */
export const into = async (world: World, part: Partial<Order> = {}): Promise<Order> =>
  between(world, {
    originChainId: LEDGER,
    originSettler: LEDGER_SETTLER,
    depositor: LEDGER_ACCOUNT,
    inputToken: zeroHash,
    destinationName: zeroHash,
    solver: `0x${'a5'.repeat(32)}`,
    accountKinds: kindsOf(solana, evm, solana, evm, none),
    attesters: wordOf(TWO_OF_THREE),
    integrator: zeroHash,
    integratorFee: 0n,
    ...part,
  })

/** The EVM address that a word holds. */
export const addressOf = (word: Hex): Hex => `0x${word.slice(26)}`
const nativeOf = (token: Hex, amount: bigint): bigint => (token === zeroHash ? amount : 0n)
/** The order in the struct that `open` takes. */
export const wrapped = (order: Order) => ({
  fillDeadline: order.fillDeadline,
  orderDataType: keccak256(stringToHex(ORDER_TYPE)),
  orderData: encodeOrder(order),
})

/** The order in the struct that `openFor` takes. */
export const gasless = (order: Order) => ({
  ...wrapped(order),
  originSettler: addressOf(order.originSettler),
  user: addressOf(order.depositor),
  nonce: BigInt(order.salt),
  originChainId: order.originChainId,
  openDeadline: order.openDeadline,
})

/** Calls of an order on its sides. */
export const openCall = (side: Side, order: Order): Call => ({
  from: addressOf(order.depositor),
  to: side.settler,
  data: side.encode('open', [wrapped(order)]),
  value: nativeOf(order.inputToken, order.inputAmount),
})
export const openForCall = (side: Side, order: Order, permission: Hex, from: Hex = STRANGER): Call => ({
  from,
  to: side.settler,
  data: side.encode('openFor', [gasless(order), permission, '0x']),
})
export const fillCall = (side: Side, order: Order, from: Hex = FILLER, fillerData: Hex = '0x'): Call => ({
  from,
  to: side.settler,
  data: side.encode('fill', [orderIdOf(order), encodeOrder(order), fillerData]),
  value: nativeOf(order.outputToken, order.outputAmount),
})
/** Says where a filler that the order does not name is repaid. */
export const repayTo = (account: Hex, kind: number = evm): Hex =>
  encodeAbiParameters(parseAbiParameters('bytes32, uint8'), [pad(account), kind])
export const proveCall = (side: Side, orders: readonly Order[], originChain: string, value = 0n): Call => ({
  from: STRANGER,
  to: side.settler,
  data: side.encode('prove', [orders.map(orderIdOf), originChain]),
  value,
})
export const claimCall = (
  side: Side,
  orders: readonly Order[],
  to: Hex = SOLVER,
  from: Hex = STRANGER,
): Call => ({
  from,
  to: side.settler,
  data: side.encode('claim', [orders, to]),
})
export const refundCall = (
  side: Side,
  order: Order,
  from: Hex = STRANGER,
  to: Hex = addressOf(order.depositor),
): Call => ({ from, to: side.settler, data: side.encode('refund', [order, to]) })

/** What was attested of an order, with signatures by these accounts in this order. */
export const attest = async (
  order: Order,
  signers: readonly PrivateKeyAccount[] = ATTESTERS.slice(0, 2),
  { payee = addressOf(order.solver), filledAt = order.exclusiveUntil, orderId = orderIdOf(order) } = {},
) => {
  const fill = { orderId, repayTo: pad(payee), repayToKind: evm, filledAt }
  const signatures = await Promise.all(signers.map((signer) => signer.signTypedData(fillTypedData(fill))))
  return { repayTo: payee, filledAt, signatures: concat(['0x', ...signatures]) }
}

/** The call that releases orders by attestations of one payee. */
export const releaseCall = (
  side: Side,
  orders: readonly Order[],
  attestations: readonly Awaited<ReturnType<typeof attest>>[],
  { members }: Attesters = TWO_OF_THREE,
  to: Hex = attestations[0]?.repayTo ?? SOLVER,
): Call => {
  const attestation = {
    repayTo: attestations[0]?.repayTo ?? SOLVER,
    filledAt: attestations.map(({ filledAt }) => filledAt),
    attesters: members,
    signatures: concat(['0x', ...attestations.map(({ signatures }) => signatures)]),
  }
  return { from: STRANGER, to: side.settler, data: side.encode('release', [orders, attestation, to]) }
}

/** The payload of a proof. */
export const proofOf = (orders: readonly Order[], payee: Hex): Hex =>
  concat(orders.flatMap((order) => [orderIdOf(order), pad(payee)]))

/** Proves filled orders and executes the proof at their origin. Returns its events. */
export const proveAndMark = async ({ a, b }: World, orders: readonly Order[]): Promise<readonly Event[]> => {
  const [message] = messagesOf(b, await b.run(proveCall(b, orders, a.axelarName)))
  assert.ok(message)
  return a.run(await approved(a, message))
}

/** Executes a message at the first chain that any connected chain could send. Returns its events. */
export const forge = async (
  { a, settler }: World,
  sourceChain: string,
  payload: Hex,
): Promise<readonly Event[]> =>
  a.run(await approved(a, { sourceChain, sourceAddress: settler, target: settler, payload }))

/** Opens an order between the chains and fills it. */
export const filledOrder = async (world: World, part: Partial<Order> = {}): Promise<Order> => {
  const order = await between(world, part)
  await world.a.run(openCall(world.a, order))
  await world.b.run(fillCall(world.b, order))
  return order
}

/** The states of a record, as the contract numbers them. */
export const STATE = { none: 0, open: 1, refunded: 2, filled: 3, proven: 4, released: 5 } as const

/** What a side remembers of an order: state, time of the fill, kind and account of the payee. */
export const recordOf = async (side: Side, order: Order): Promise<readonly [number, number, number, Hex]> =>
  // CAST: the four values of `record`.
  (await side.read(side.settler, 'record', [orderIdOf(order)])) as readonly [number, number, number, Hex]

/** The state of an order on a side. */
export const stateOf = async (side: Side, order: Order): Promise<number> => (await recordOf(side, order))[0]
