import type { MessageEvent, Warning as SdkWarning } from '@openrfq/sdk'
import type { NetworkToken } from '../core/network.ts'
import type { Token } from '../core/token.ts'
import type { Closed } from '../core/written.ts'

/** Something a user should know before signing; codes are stable. */
export type Warning = Closed<SdkWarning>

const LOSS_DIVISOR = 100n
/** A transfer that loses more than this share of its amount carries a warning. */
const LOSS_WARNING_PERCENT = 15n

/** Refund terms of routes that never return tokens: a delivery that fails can be tried again, and nothing else. */
export const NO_REFUND = {
  automatic: false,
  address: null,
  chain: null,
  token: null,
  cost: null,
  expectedSeconds: null,
  terms:
    "No refund: what was sent comes back in no case. A delivery that fails can be tried again by anyone, but the token's issuer and Axelar can stop it for as long as they want.",
} as const

const MESSAGE_RULE = '<transaction hash>-<position of the event in receipt.logs, from 0>'
const SOLANA_MESSAGE_RULE =
  '<signature>-<instruction>.<position of the event among its inner instructions>, both from 1'

/** The gateway's event that makes a message id, for clients. */
export const messageEventOf = (address: string, topic: string): Closed<MessageEvent> => ({
  address,
  topic,
  rule: MESSAGE_RULE,
})

/** The same of the gateway on Solana; `topic` is what the event's data begins with, behind Anchor's tag of events. */
export const solanaMessageEventOf = (address: string, topic: string): Closed<MessageEvent> => ({
  address,
  topic,
  rule: SOLANA_MESSAGE_RULE,
})

const bridgedWarning = ({ symbol, chainId }: Token): Warning => ({
  code: 'bridged_token',
  message: `${symbol} on ${chainId} is Axelar's bridged token, and not the asset that goes by ${symbol.replace(/\.axl$/, '')} there`,
})

/** Warnings about unverified tokens, and about an output that is the bridged namesake of another asset. */
export const tokenWarnings = (
  input: Token,
  output: Token & Pick<NetworkToken, 'bridged'>,
): readonly Warning[] => [
  ...[input, output]
    .filter(({ verified }) => !verified)
    .map((token) => ({
      code: 'unverified_token' as const,
      message: `${token.symbol} ${token.address} on ${token.chainId} has not been reviewed`,
    })),
  ...(output.bridged === true ? [bridgedWarning(output)] : []),
]

/** A warning if fees taken from the amount, or dust cut off it, exceed 15 % of it (base units of one token). */
export const lossWarnings = (lost: bigint, amount: bigint): readonly Warning[] =>
  lost * LOSS_DIVISOR > amount * LOSS_WARNING_PERCENT
    ? [{ code: 'high_loss', message: `${lost} of ${amount} base units do not arrive` }]
    : []
