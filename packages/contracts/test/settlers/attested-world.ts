import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  type AttestedOrder,
  attestedIdOf,
  fillTypedData,
  orderTypedData,
} from '@openrfq/sandbox/test/attested-order.ts'
import {
  ATTESTED_ARTIFACT,
  ATTESTER,
  type AttestedWorld,
  DEPOSITOR,
  FILLER,
  fund,
  STRANGER,
  type startAttestedChain,
  WINDOW,
  withSettler,
} from '@openrfq/sandbox/test/attested-world.ts'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { type Hex, keccak256, pad, toHex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { INTEGRATOR, RECIPIENT, SIGNER, SOLVER } from './world.ts'

/** A chain with the attested settler and a token. */
export type World = AttestedWorld

/** Signs like an attester, and is none. */
export const IMPOSTOR = privateKeyToAccount(`0x${'33'.repeat(32)}`)

/** A depositor's signature of an order. */
export const signAttested = (order: AttestedOrder): Promise<Hex> =>
  SIGNER.signTypedData(orderTypedData(order))

/** An attestation: the attester's signature that a transaction filled an order. */
export const attest = (
  { number, settler }: Pick<World, 'number' | 'settler'>,
  order: AttestedOrder,
  transaction: Hex,
  by = ATTESTER,
  repayTo: Hex = order.solver,
): Promise<Hex> =>
  by.signTypedData(fillTypedData(number, settler, { orderId: attestedIdOf(order), repayTo, transaction }))

/** A chain as orders name it. */
export const chainHash = (chainId: string): Hex => keccak256(toHex(chainId))
const SOLANA = chainHash('solana:test')
const LEDGER_ACCOUNT: Hex = `0x${'ab'.repeat(32)}`

const deadlines = (now: number) => ({
  openDeadline: now + 600,
  exclusiveUntil: now + 1200,
  fillDeadline: now + 1200,
  refundAfter: now + 1200 + WINDOW,
})

/** An order from this chain to a ledger. */
export const outOf = async (world: World, part: Partial<AttestedOrder> = {}): Promise<AttestedOrder> => ({
  salt: `0x${randomBytes(32).toString('hex')}`,
  originChain: chainHash(`eip155:${world.number}`),
  originSettler: pad(world.settler),
  depositor: pad(DEPOSITOR),
  inputToken: pad(world.token),
  inputAmount: 1_000_000n,
  destinationChain: SOLANA,
  destinationSettler: LEDGER_ACCOUNT,
  outputToken: zeroHash,
  outputAmount: 990_000n,
  recipient: `0x${'cd'.repeat(32)}`,
  recipientTag: 7n,
  solver: pad(SOLVER),
  filler: `0x${'ef'.repeat(32)}`,
  ...deadlines(await world.now()),
  attester: ATTESTER.address,
  integrator: pad(INTEGRATOR),
  integratorFee: 1000n,
  ...part,
})

/** An order from a ledger to this chain, open to strangers for its last five minutes. */
export const into = async (world: World, part: Partial<AttestedOrder> = {}): Promise<AttestedOrder> => {
  const order = await outOf(world)
  return {
    ...order,
    originChain: SOLANA,
    originSettler: LEDGER_ACCOUNT,
    depositor: order.recipient,
    inputToken: zeroHash,
    destinationChain: order.originChain,
    destinationSettler: order.originSettler,
    outputToken: pad(world.token),
    recipient: pad(RECIPIENT),
    recipientTag: 0n,
    solver: order.filler,
    filler: pad(FILLER),
    exclusiveUntil: order.fillDeadline - 300,
    integrator: zeroHash,
    integratorFee: 0n,
    ...part,
  }
}

const nativeOf = (token: Hex, amount: bigint): bigint => (BigInt(token) === 0n ? amount : 0n)
const addressOf = (word: Hex): Hex => `0x${word.slice(26)}`

/** Calls of an order. */
export const openCall = (world: World, order: AttestedOrder): Call => ({
  from: addressOf(order.depositor),
  to: world.settler,
  data: world.encode('open', [order]),
  value: nativeOf(order.inputToken, order.inputAmount),
})
export const fillCall = (
  world: World,
  order: AttestedOrder,
  from: Hex = FILLER,
  payee: Hex = zeroHash,
): Call => ({
  from,
  to: world.settler,
  data: world.encode('fill', [order, payee]),
  value: nativeOf(order.outputToken, order.outputAmount),
})
export const releaseCall = (
  world: World,
  order: AttestedOrder,
  transaction: Hex,
  signature: Hex,
  to: Hex = SOLVER,
  from: Hex = STRANGER,
): Call => ({ from, to: world.settler, data: world.encode('release', [order, transaction, signature, to]) })
export const refundCall = (
  world: World,
  order: AttestedOrder,
  from: Hex = STRANGER,
  to: Hex = DEPOSITOR,
): Call => ({
  from,
  to: world.settler,
  data: world.encode('refund', [order, to]),
})

/** What the chain remembers of an order: the kind of its escrow, and whom its fill repays. */
export const recordOf = async (world: World, order: AttestedOrder): Promise<readonly [number, Hex]> =>
  // CAST: kind and account.
  (await world.read(world.settler, 'record', [attestedIdOf(order)])) as readonly [number, Hex]

/** A chain without the settler yet. */
export type Started = Awaited<ReturnType<typeof startAttestedChain>>

/** Has a settler of this code deployed, and funds the accounts for it, the signing depositor's too. */
export const worldOf = async (started: Started, code: Hex = ATTESTED_ARTIFACT.bytecode): Promise<World> => {
  const world = await withSettler(started, code)
  await fund(world, SIGNER.address, world.token)
  return world
}

/** The arguments of a transaction's only event of a name. */
export const argsOf = (events: readonly Event[], name: string): Readonly<Record<string, unknown>> => {
  const found = events.filter(({ eventName }) => eventName === name)
  assert.ok(found[0] && found.length === 1, `${found.length} events ${name}`)
  return found[0].args
}

/** One attempt at the attested settler. It throws when it does not behave. */
export type Case = { readonly name: string; readonly run: (world: World) => Promise<void> }
