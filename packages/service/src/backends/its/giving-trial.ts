import { uintAt } from '../../chains/evm/abi-words.ts'
import { DECIMALS_DATA, mintData, transferFromData } from '../../chains/evm/erc20.ts'
import type { EvmChain, EvmResult } from '../../chains/evm/evm-chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Decline } from '../../core/offer.ts'
import { createLru } from '../../lib/lru.ts'
import { unpriced } from '../decline.ts'
import type { ItsSide } from './routes.ts'
import { isMinted, type Manager } from './state.ts'

const MAX_AGE_MS = 60_000
const MOST_KEPT = 10_000

/** The end of a transfer on an EVM chain: what the token service gives a recipient there, in base units. */
type Given = {
  readonly side: Pick<ItsSide, 'its' | 'erc20'>
  readonly manager: Manager
  readonly recipient: string
  readonly amount: bigint
}
export type Giving = Given & { readonly side: ItsSide }

/** What a trial showed; `untried`: the chain's nodes run no call of a contract. */
type Verdict = 'given' | 'refused' | 'untried'

/** Tries, without sending anything, whether a token is given to a recipient now. */
export type GivingTrials = {
  /**
   * Why the token is not given; undefined if it is. Of a token, manager and recipient one trial a minute counts, for amounts up to the one tried,
   * or from it on where it failed.
   */
  readonly whyNotGiven: (giving: Giving) => Promise<Decline | undefined>
}

/** The call by which the token service gives a token. Source: TokenHandler.giveToken, TokenManager.mintToken, ITS 2.1 and 2.2. */
const givingCall = ({ side: { its, erc20 }, manager, recipient, amount }: Given) =>
  isMinted(manager.type)
    ? { from: manager.address, to: erc20, data: mintData(recipient, amount) }
    : { from: its, to: erc20, data: transferFromData(manager.address, recipient, amount) }

/** Whether the result of a giving is a gift: a token that returns nothing has not refused. Source: SafeTransfer of gmp-sdk. */
const isGift = (result: EvmResult): boolean => result !== undefined && (uintAt(result, 0) ?? 1n) !== 0n

/** Whether nodes of a chain run calls of a contract. Rejects if the chain cannot be read. */
const runsCallsOf = async (
  evm: Pick<EvmChain, 'callMany'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> => {
  const call = { to, data: DECIMALS_DATA, mayRevert: true } as const
  try {
    const [read] = await evm.callMany([{ ...call, from }])
    return read !== undefined
  } catch {
    await evm.callMany([call])
    return false
  }
}

/**
 * Runs the giving of a token at the newest block of one endpoint. A failure counts only where nodes run other calls of the same contract:
 * some run none. Rejects if the chain cannot be read.
 */
export const tryGiving = async (evm: Pick<EvmChain, 'callMany'>, given: Given): Promise<Verdict> => {
  const call = { ...givingCall(given), mayRevert: true } as const
  try {
    const [result] = await evm.callMany([call])
    if (isGift(result)) return 'given'
  } catch (error) {
    if (await runsCallsOf(evm, call)) throw error
    return 'untried'
  }
  return (await runsCallsOf(evm, call)) ? 'refused' : 'untried'
}

type Tried = { readonly amount: bigint; readonly at: Instant; readonly verdict: Promise<Verdict> }

/** Managers of tokens whose issuer can close the mint: without a trial nothing is known of it. */
const isClosable = ({ type }: Manager): boolean => type === 'MINT_BURN' || type === 'MINT_BURN_FROM'

const keyOf = ({ side, manager, recipient }: Giving): string =>
  `${side.chain.chainId} ${side.erc20} ${manager.address} ${recipient}`

const whyNot = ({ side: { token, axelarName }, manager }: Giving, verdict: Verdict): Decline | undefined => {
  if (verdict === 'refused')
    return unpriced(
      `${token.symbol} on ${axelarName} is not given to the recipient now: its issuer, its limits or its lock refuse it`,
    )
  return verdict === 'untried' && isClosable(manager)
    ? unpriced(
        `no node of ${axelarName} tries whether ${token.symbol} is given, whose issuer can refuse that`,
      )
    : undefined
}

/** Keeps what trials of the last minute showed. A token of the Hedera Token Service is not tried: it has no such calls. */
export const createGivingTrials = (now: () => Instant): GivingTrials => {
  const trials = createLru<string, Tried>(MOST_KEPT)
  const start = (giving: Giving): Promise<Verdict> => {
    const key = keyOf(giving)
    const tried: Tried = {
      amount: giving.amount,
      at: now(),
      verdict: tryGiving(giving.side.evm, giving),
    }
    trials.set(key, tried)
    tried.verdict.catch(() => {
      if (trials.get(key) === tried) trials.delete(key)
    })
    return tried.verdict
  }
  const verdictOf = async (giving: Giving): Promise<Verdict> => {
    const known = trials.get(keyOf(giving))
    if (known === undefined || now() - known.at >= MAX_AGE_MS) return start(giving)
    const verdict = await known.verdict
    const counts = verdict === 'refused' ? giving.amount >= known.amount : giving.amount <= known.amount
    return counts ? verdict : start(giving)
  }
  return {
    whyNotGiven: async (giving) => {
      if (giving.side.chain.tokenStandard === 'hts') return undefined
      try {
        return whyNot(giving, await verdictOf(giving))
      } catch {
        return unpriced('the giving of the token cannot be tried')
      }
    },
  }
}
