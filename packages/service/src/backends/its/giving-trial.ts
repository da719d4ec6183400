import { uintAt } from '../../chains/evm/abi-words.ts'
import { mintData, transferFromData } from '../../chains/evm/erc20.ts'
import type { EvmCall, EvmResult } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Decline } from '../../core/offer.ts'
import { createLru } from '../../lib/lru.ts'
import { unpriced } from '../decline.ts'
import type { ItsSide } from './routes.ts'
import type { Manager } from './state.ts'

const MAX_AGE_MS = 60_000
const MOST_KEPT = 10_000

/** A transfer's end on an EVM chain: who gives which recipient how much, in base units. */
export type Giving = {
  readonly side: ItsSide
  readonly manager: Manager
  readonly recipient: string
  readonly amount: bigint
}

/** Tries, without sending anything, whether a token is given to a recipient now. */
export type GivingTrials = {
  /**
   * Why the token is not given; undefined if it is. Of a token, manager and recipient one trial a minute counts, for amounts up to the one tried,
   * or from it on where it failed.
   */
  readonly whyNotGiven: (giving: Giving) => Promise<Decline | undefined>
}

/** The call by which the token service gives a token. Source: TokenHandler.giveToken, TokenManager.mintToken, ITS 2.1 and 2.2. */
export const givingCall = ({
  side: { its, erc20 },
  manager,
  recipient,
  amount,
}: Omit<Giving, 'side'> & { readonly side: Pick<ItsSide, 'its' | 'erc20'> }): EvmCall =>
  manager.type === 'LOCK_UNLOCK' || manager.type === 'LOCK_UNLOCK_FEE'
    ? {
        from: its,
        to: erc20,
        data: transferFromData(manager.address, recipient, amount),
        mayRevert: true,
      }
    : { from: manager.address, to: erc20, data: mintData(recipient, amount), mayRevert: true }

type Tried = { readonly amount: bigint; readonly at: Instant; readonly isGiven: Promise<boolean> }

/** Whether the result of a giving is a gift: a token that returns nothing has not refused. Source: SafeTransfer of gmp-sdk. */
export const isGift = (result: EvmResult): boolean => result !== undefined && (uintAt(result, 0) ?? 1n) !== 0n

const run = async (giving: Giving): Promise<boolean> => {
  const [result] = await giving.side.evm.callMany([givingCall(giving)])
  return isGift(result)
}

const keyOf = ({ side, manager, recipient }: Giving): string =>
  `${side.chain.chainId} ${side.erc20} ${manager.address} ${recipient}`

/** Keeps what trials of the last minute showed. A token of the Hedera Token Service is not tried: it has no such calls. */
export const createGivingTrials = (now: () => Instant): GivingTrials => {
  const trials = createLru<string, Tried>(MOST_KEPT)
  const start = (giving: Giving): Promise<boolean> => {
    const key = keyOf(giving)
    const tried: Tried = { amount: giving.amount, at: now(), isGiven: run(giving) }
    trials.set(key, tried)
    tried.isGiven.catch(() => {
      if (trials.get(key) === tried) trials.delete(key)
    })
    return tried.isGiven
  }
  const isGiven = async (giving: Giving): Promise<boolean> => {
    const known = trials.get(keyOf(giving))
    if (known === undefined || now() - known.at >= MAX_AGE_MS) return start(giving)
    const wasGiven = await known.isGiven
    const counts = wasGiven ? giving.amount <= known.amount : giving.amount >= known.amount
    return counts ? wasGiven : start(giving)
  }
  return {
    whyNotGiven: async (giving) => {
      if (giving.side.chain.tokenStandard === 'hts') return undefined
      try {
        return (await isGiven(giving))
          ? undefined
          : unpriced(
              `${giving.side.token.symbol} on ${giving.side.axelarName} is not given to the recipient now: its issuer, its limits or its lock refuse it`,
            )
      } catch {
        return unpriced('the giving of the token cannot be tried')
      }
    },
  }
}
