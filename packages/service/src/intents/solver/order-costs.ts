import type { ChainId } from '@openrfq/sdk'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { expectedPrice } from '../../chains/evm/gas.ts'
import { l1Gas, weiBesideGas } from '../../chains/evm/l1-fee.ts'
import { mulDivUp } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import type { HopFees } from '../../protocols/axelar/gas-fee.ts'
import type { SettlerKind } from '../settlers/order-status.ts'
import type { Strategy } from './config.ts'
import { type PricedToken, unitsOfWorth, usdOfUnits } from './pricing.ts'
import { executionFloor, type RelayEnd, type RelayFeeDeps, relayFeeOf } from './relay-fee.ts'

/** The chains of an order, and the settler it is opened and filled through. */
export type Direction = {
  readonly originChain: ChainId
  readonly destinationChain: ChainId
  readonly settler: SettlerKind
}

type Deps = RelayFeeDeps & {
  readonly chains: ReadonlyMap<ChainId, RelayEnd>
  readonly strategy: Pick<Strategy, 'costsBps'>
  readonly steady: () => Instant
  readonly log: Log
}

/**
 * What one order costs the solver on EVM chains at the present gas prices until it is repaid: fill, proof, relay and claim,
 * or fill and release of an attested order: the share of it that the solver charges on every output.
 */
export type OrderCosts = {
  /** Reads what proofs cost to relay in these directions, where that is not known. Never rejects. */
  readonly look: (directions: readonly Direction[]) => Promise<void>
  /** Whether the costs can be known at all: not without the price of a native asset. */
  readonly isKnowable: (direction: Direction) => boolean
  /** In base units of a token, rounded up; undefined while it is not known. */
  readonly inUnitsOf: (token: PricedToken, direction: Direction) => bigint | undefined
  /** What one proof of so many orders costs with its relay, in USD scaled by 10^18; undefined while it is not known. */
  readonly ofProof: (direction: Direction, count: number) => bigint | undefined
  /** What native value of a chain is worth, in base units of it. */
  readonly ofNative: (chainId: ChainId, amount: bigint) => bigint | undefined
  /** What one claim of so many orders costs on their origin. */
  readonly ofClaim: (originChain: ChainId, count: number) => bigint | undefined
}

/** What a fill, a proof and a claim or release of one order use at most. Source: docs/decisions/0040. */
const FILL_GAS = 150_000n
const PROOF_GAS = 90_000n
const CLAIM_GAS = 60_000n
const RELEASE_GAS = 120_000n
/** What each further order of a proof and of a claim uses. */
const PROOF_ORDER_GAS = 5_000n
const CLAIM_ORDER_GAS = 14_000n
/** Calldata as long as any of these transactions': words of an address or an amount. */
const SAMPLE_WORDS = 24
const SAMPLE_DATA = `0x${`${'00'.repeat(12)}${'e7'.repeat(20)}`.repeat(SAMPLE_WORDS)}`
const RELAY_FEE_MS = 60_000
const RELAY_FEE_STALE_MS = 300_000
const READS_AT_ONCE = 4
const NO_WORK = [0n, 0n] as const
const BPS = 10_000n

type ReadFees = { readonly hop: HopFees; readonly readAt: Instant }

const keyOf = ({ originChain, destinationChain, settler }: Direction): string =>
  `${settler} ${destinationChain} ${originChain}`

/** Wei for so much gas of so many transactions, and for what a rollup charges for each of them with the sample's calldata. */
const weiOf = (head: EvmHead, gas: bigint, transactions: bigint): bigint => {
  if (transactions === 0n) return 0n
  const ofEach = mulDivUp(gas, 1n, transactions) + l1Gas(head.l1Cost, SAMPLE_DATA)
  return transactions * (ofEach * expectedPrice(head) + weiBesideGas(head.l1Cost, SAMPLE_DATA, ofEach))
}

/** The gas of an order's transactions on its destination and on its origin. */
const WORK = {
  intent: { there: [FILL_GAS + PROOF_GAS, 2n], back: [CLAIM_GAS, 1n] },
  attested: { there: [FILL_GAS, 1n], back: [RELEASE_GAS, 1n] },
} as const satisfies Record<SettlerKind, Record<'there' | 'back', readonly [bigint, bigint]>>

/**
 * Keeps a cost while the present one is at most it and more than three quarters of it; a new one is a tenth above the present
 * one. Gas prices change with every block, and quotes should not.
 */
const createSteps = () => {
  const held = new Map<string, bigint>()
  return (key: string, cost: bigint): bigint => {
    const known = held.get(key)
    if (known !== undefined && cost <= known && cost * 4n >= known * 3n) return known
    const fresh = cost + (cost + 9n) / 10n
    held.set(key, fresh)
    return fresh
  }
}

/** Creates the costs of a solver. */
export const createOrderCosts = (deps: Deps): OrderCosts => {
  const { chains, natives, steady, log } = deps
  const chargedBps = BigInt(deps.strategy.costsBps)
  const fees = new Map<string, ReadFees>()
  const stepped = createSteps()

  /** Wei on an EVM chain in USD; nothing elsewhere, and undefined while it is not known. */
  const usdOn = (chainId: ChainId, [gas, transactions]: readonly [bigint, bigint], beside = 0n) => {
    const chain = chains.get(chainId)
    if (chain === undefined) return 0n
    const [head, native] = [chain.evm.head(), natives.get(chainId)]
    if (head === undefined || native === undefined) return undefined
    return usdOfUnits(weiOf(head, gas, transactions) + beside, native)
  }
  /** Wei for the relay of a proof of so many orders; undefined while it is not known. */
  const relayOf = (direction: Direction, count: number): bigint | undefined => {
    if (direction.settler === 'attested') return 0n
    const fee = fees.get(keyOf(direction))
    const [from, to] = [chains.get(direction.destinationChain), chains.get(direction.originChain)]
    if (from === undefined || to === undefined) return undefined
    if (fee === undefined || steady() - fee.readAt > RELAY_FEE_STALE_MS) return undefined
    const told = relayFeeOf(deps, fee.hop, to, count)
    const least = executionFloor(deps, from, to, count)
    return told === undefined || told > least ? told : least
  }
  const lookAt = async (direction: Direction): Promise<void> => {
    const { originChain, destinationChain } = direction
    const [from, to] = [chains.get(destinationChain), chains.get(originChain)]
    if (from === undefined || to === undefined) return
    try {
      const hop = await deps.axelarscan.hopFees(from.axelarName, to.axelarName)
      fees.set(keyOf(direction), { hop, readAt: steady() })
    } catch (error) {
      log('warn', 'order_cost_unknown', { originChain, destinationChain, error })
    }
  }

  return {
    look: async (directions) => {
      const wanted = new Map(
        directions.flatMap((one) => (one.settler === 'intent' ? [[keyOf(one), one] as const] : [])),
      )
      const due = [...wanted].filter(
        ([key]) => steady() - (fees.get(key)?.readAt ?? Number.NEGATIVE_INFINITY) > RELAY_FEE_MS,
      )
      await mapAtMost(READS_AT_ONCE, due, ([, one]) => lookAt(one))
    },
    isKnowable: ({ originChain, destinationChain }) =>
      chargedBps === 0n ||
      [originChain, destinationChain].every((chainId) => !chains.has(chainId) || natives.has(chainId)),
    inUnitsOf: (token, direction) => {
      if (chargedBps === 0n) return 0n
      const relay = relayOf(direction, 1)
      if (relay === undefined) return undefined
      const { there, back } = WORK[direction.settler]
      const paid = usdOn(direction.destinationChain, there, relay)
      const repaid = usdOn(direction.originChain, back)
      if (paid === undefined || repaid === undefined) return undefined
      const usd = stepped(keyOf(direction), paid + repaid)
      return unitsOfWorth(mulDivUp(usd, chargedBps, BPS), token)
    },
    ofProof: (direction, count) => {
      const relay = relayOf(direction, count)
      const gas = PROOF_GAS + PROOF_ORDER_GAS * BigInt(count - 1)
      return relay === undefined ? undefined : usdOn(direction.destinationChain, [gas, 1n], relay)
    },
    ofNative: (chainId, amount) => usdOn(chainId, NO_WORK, amount),
    ofClaim: (originChain, count) =>
      usdOn(originChain, [CLAIM_GAS + CLAIM_ORDER_GAS * BigInt(count - 1), 1n]),
  }
}
