import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { PositiveAmount } from './amount.ts'
import { EvmAddress, Hash } from './hex.ts'

const Address = z.string().regex(/^[0-9A-Za-z]{1,128}$/, 'expected an address')
const Seconds = z.int().min(0).max(0xffff_ffff)

/** The identifier of an order on both chains: its EIP-712 hash, lower-case hex; the `swapId` of an intent quote. */
export const OrderId = Hash
export type OrderId = z.infer<typeof OrderId>

/**
 * One intent: what the depositor gives on the origin chain and what the recipient gets on the destination chain.
 * Amounts are base units (decimal text on the wire), times whole seconds since the Unix epoch, addresses and tokens in
 * the canonical text of their own chain. Between two EVM chains both settlers are IntentSettlers, and Axelar carries
 * the proof of the fill; an order that touches a payment chain (Solana, Stellar) names an attester instead. A settler
 * is a contract on an EVM chain, the escrow program on Solana, and the operator's vault account on Stellar. Source:
 * contracts/intent, contracts/attested, contracts/solana.
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
  /** The only account that may fill on the destination chain. */
  filler: Address,
  /** Signs that the order was filled; present exactly if one of the chains is a payment chain. */
  attester: EvmAddress.optional(),
})
export type IntentOrder = z.infer<typeof IntentOrder>

/** Hex digits of a salt that are the number of the answer; the others are random. */
export const SALT_NUMBER_DIGITS = 32

/** What the salts of all orders of one answer begin with: `0x` and the answer's number. */
export const answerOfSalt = (salt: string): string => salt.slice(0, 2 + SALT_NUMBER_DIGITS)
