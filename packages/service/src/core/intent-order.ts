import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { type BaseUnits, baseUnits, PositiveAmount, UnsignedAmount } from './amount.ts'
import { EvmAddress, Hash } from './hex.ts'

const Address = z.string().regex(/^[0-9A-Za-z]{1,128}$/, 'expected an address')
const Seconds = z.int().min(0).max(0xffff_ffff)

/** The identifier of an order on both chains: a hash of all its fields, lower-case hex; the `swapId` of an intent quote. */
export const OrderId = Hash
export type OrderId = z.infer<typeof OrderId>

/** What only orders between two EVM chains contain. Source: contracts/settlers/IntentOrder.sol. */
const ProvenTerms = z.object({
  /** Axelar's name of the destination chain, in lower case. */
  destinationName: z.string().regex(/^[!-@[-~]{1,20}$/, 'expected an Axelar chain name in lower case'),
  /**
   * The last second at which the filler alone may fill, by the destination chain's clock, and at which the solver may
   * decline, by the origin chain's clock.
   */
  exclusiveUntil: Seconds,
  /** Earns the fee; the zero address without one. */
  integrator: EvmAddress,
  /** The part of the input that the integrator earns when the fill is repaid. */
  integratorFee: UnsignedAmount,
})
export type ProvenTerms = z.infer<typeof ProvenTerms>

/**
 * One intent: what the depositor gives on the origin chain and what the recipient gets on the destination chain.
 * Amounts are base units (decimal text on the wire), times whole seconds since the Unix epoch, addresses and tokens in
 * the canonical text of their own chain. Between two EVM chains both settlers are IntentSettlers, and Axelar carries
 * the proof of the fill; an order that touches a payment chain (Solana, Stellar) names an attester instead. A settler
 * is a contract on an EVM chain, the escrow program on Solana, and the operator's vault account on Stellar. Both
 * IntentSettlers of an order have the same address. Source: contracts/settlers, contracts/solana.
 */
export const IntentOrder = z.object({
  depositor: Address,
  /** Makes equal orders distinct, and encodes the answer that the order was quoted in. */
  salt: Hash,
  originChain: ChainId,
  originSettler: Address,
  destinationChain: ChainId,
  destinationSettler: Address,
  /** The last second at which the order may be opened. */
  openDeadline: Seconds,
  /** The last second, by the destination chain's clock, at which it may be filled. */
  fillDeadline: Seconds,
  /** After this second, by the origin chain's clock, anybody may trigger the depositor's refund. */
  refundAfter: Seconds,
  inputToken: Address,
  inputAmount: PositiveAmount,
  outputToken: Address,
  outputAmount: PositiveAmount,
  recipient: Address,
  /** Is repaid on the origin chain, and may decline the order there. */
  solver: Address,
  /** The account that may fill on the destination chain; between two EVM chains the only one until `exclusiveUntil`. */
  filler: Address,
  /** Present exactly if both chains are EVM chains. */
  proven: ProvenTerms.optional(),
  /** Signs that the order was filled; present exactly if one of the chains is a payment chain. */
  attester: EvmAddress.optional(),
})
export type IntentOrder = z.infer<typeof IntentOrder>

/** The part of an order's input that its solver is repaid, in base units. */
export const repaidInput = ({
  inputAmount,
  proven,
}: Pick<IntentOrder, 'inputAmount' | 'proven'>): BaseUnits =>
  proven === undefined ? inputAmount : baseUnits(inputAmount - proven.integratorFee)

/** Hex digits of a salt that are the number of the answer; the others are random. */
export const SALT_NUMBER_DIGITS = 32

/** What the salts of all orders of one answer begin with: `0x` and the answer's number. */
export const answerOfSalt = (salt: string): string => salt.slice(0, 2 + SALT_NUMBER_DIGITS)
