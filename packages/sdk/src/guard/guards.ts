import type { QuoteParams } from '../client/create-client.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { Quote } from '../wire/quote.ts'
import type { GuardCode } from './guard-code.ts'
import type { MissingGuard } from './missing-guard.ts'

/** A text for each token of each chain: first by CAIP-2 identifier, then by token address. */
type ByToken = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Axelar on some chains, by CAIP-2 identifier: its name for the chain, and its contracts there.
 * @example
 * const bridge: Bridge = { 'eip155:1': { name: 'Ethereum', gateway: '0x4F4495243837681061C4743b74B3eEdf548D56A5' } }
 */
export type Bridge = Readonly<
  Record<
    string,
    {
      readonly name: string
      readonly gateway?: string | undefined
      readonly its?: string | undefined
      /** On Solana: the program that a transfer pays for the way. */
      readonly gasService?: string | undefined
    }
  >
>

/**
 * What a person accepts, beyond what was requested; the guards of `swap` refuse every other quote before anything is
 * signed. Amounts in base units. Do not take these values from the service that they guard against.
 * @example
 * const guards: Guards = {
 *   contracts: { 'eip155:1': ['0xB5FB4BE02232B1bBA4dC8f81dc24C26980dE9e3C'] },
 *   minimumOutput: 24_900_000n,
 *   maximumNativeFee: 10n ** 16n,
 * }
 */
export type Guards = {
  /**
   * The contracts, programs and deposit accounts (G…) that may be called and paid, by chain. Where a chain is not named, and
   * the contract is none of `bridge`, a dishonest service can take the input. On Solana it is required.
   */
  readonly contracts?: Readonly<Record<string, readonly string[]>> | undefined
  /** The EVM addresses that may attest fills of orders between chain families; any other can give the input away. */
  readonly attesters?: readonly string[] | undefined
  /** Axelar's names and contracts; `axelarMainnet` of `@openrfq/sdk/axelar` has those of its mainnet. */
  readonly bridge?: Bridge | undefined
  /** The interchain token ids of tokens; what a token id stands for is otherwise the service's word. */
  readonly tokenIds?: ByToken | undefined
  /** The least that must arrive. */
  readonly minimumOutput?: bigint | undefined
  /** The most that is paid; required for EXACT_OUTPUT. */
  readonly maximumInput?: bigint | undefined
  /** The most native value, in base units, that pays for the way on top of the input; required where the contract is not known. */
  readonly maximumNativeFee?: bigint | undefined
  /** The least of `bridgeToken` that crosses, where a route swaps into it on the source chain. */
  readonly minimumBridgeAmount?: bigint | undefined
  /** The address on the source chain of the token that crosses; without it the amount may count units of a worthless one. */
  readonly bridgeToken?: string | undefined
  /** The decimals of the input by which `amount` was computed; compared with those on chain. */
  readonly inputDecimals?: number | undefined
  /**
   * The most that input and fees may be worth more than the guaranteed output, in basis points of the input's USD value; 1,500
   * by default. The USD values are the service's own. Where one is missing, the quote passes unless the limit was given.
   */
  readonly maximumLossBps?: number | undefined
  /** Refuses a quote for which a guard is missing, instead of saying so. */
  readonly strict?: boolean | undefined
}

/**
 * A quote with what it is held against; `now` is the service's time in milliseconds since 1970. `lacks` is called with each
 * check that is skipped because `guards` does not configure it.
 * @example
 * const hold = (quote: Quote, request: QuoteParams): Guarded =>
 *   ({ quote, request, guards: {}, now: Date.now(), lacks: (missing) => console.warn(missing) })
 */
export type Guarded = {
  readonly quote: Quote
  readonly request: QuoteParams
  readonly guards: Guards
  readonly now: number
  /** The expired quote that this one replaces. */
  readonly accepted?: Quote | undefined
  readonly lacks: (missing: MissingGuard) => void
}

/** The error of a guard. */
export const unsafe = (guard: GuardCode, message: string, actionId?: string): ExecutionError =>
  new ExecutionError('unsafe', message, actionId === undefined ? { guard } : { guard, actionId })

/** Whether a text names the same address: EVM addresses in any case, others exactly. */
export const isSameAddress = (one: string, other: string): boolean =>
  one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase())

/** What a guard says of a token of a chain; addresses of EVM chains in any case. */
export const ofToken = (known: ByToken | undefined, chain: string, token: string): string | undefined =>
  Object.entries(known?.[chain] ?? {}).find(([address]) => isSameAddress(address, token))?.[1]

/**
 * Refuses a contract that is neither among those of its chain nor, for the backend `its`, Axelar's token service. Whether it is
 * known. Throws ExecutionError `unsafe`.
 */
export const checkContract = (
  { guards, lacks }: Guarded,
  {
    chain,
    contract,
    actionId,
  }: { readonly chain: string; readonly contract: string; readonly actionId: string },
  backend?: string,
): boolean => {
  const named = guards.contracts?.[chain]
  const ofBridge = backend === 'its' ? guards.bridge?.[chain]?.its : undefined
  if (named === undefined && ofBridge === undefined) {
    lacks('contracts')
    return false
  }
  const known = [...(named ?? []), ...(ofBridge === undefined ? [] : [ofBridge])]
  if (known.some((address) => isSameAddress(address, contract))) return true
  const message = `action "${actionId}" uses ${contract}, which is not among the known contracts of ${chain}`
  throw unsafe('unknown_contract', message, actionId)
}
