import type { QuoteParams } from '@openrfq/sdk'
import { ApprovalMode, OrderType } from '@openrfq/sdk'
import { type AmountUnits, parseAmount } from './amount-text.ts'
import { type Catalogue, familyOf, findChain } from './catalogue.ts'
import type { FindSandbox } from './chain-node.ts'
import type { FlagSpec, Flags } from './flags.ts'
import { sameIndexAccount } from './sandbox-account.ts'
import { namedToken } from './token-name.ts'
import { UsageError } from './usage-error.ts'

/** The flags that describe a quote request. */
export const QUOTE_FLAGS: readonly FlagSpec[] = [
  { name: 'from-chain', value: 'chain', help: 'source chain, CAIP-2' },
  {
    name: 'from-token',
    value: 'token',
    help: 'symbol or address on the source chain; on Stellar also CODE:ISSUER',
  },
  { name: 'to-chain', value: 'chain', help: 'destination chain, CAIP-2' },
  {
    name: 'to-token',
    value: 'token',
    help: 'symbol or address on the destination chain; on Stellar also CODE:ISSUER',
  },
  {
    name: 'amount',
    value: 'amount',
    help: 'digits are base units (1500000), with a point whole tokens (1.5)',
  },
  { name: 'units', value: 'base|whole', help: 'reads --amount as base units or as whole tokens' },
  { name: 'order-type', value: 'type', help: 'EXACT_INPUT (default) or EXACT_OUTPUT: what --amount counts' },
  {
    name: 'recipient',
    value: 'address',
    help: "who receives; default the sender, or the sandbox's account of the same number in the other family",
  },
  { name: 'slippage', value: 'bps', help: 'largest output slippage in basis points' },
  { name: 'approval-mode', value: 'mode', help: 'EXACT (default) or MAX allowance' },
]

/** What a request is built from: flags, catalogue, and the sandbox's accounts. */
export type Asking = {
  readonly flags: Flags
  readonly catalogue: Catalogue
  readonly findSandbox: FindSandbox
}

/** Builds the request from the flags, with the amount in base units. Throws UsageError and UNSUPPORTED_* errors. */
export const quoteParamsOf = async (asking: Asking, sender: string): Promise<QuoteParams> => {
  const { flags } = asking
  const [from, to] = [await tokenOf(asking, 'from'), await tokenOf(asking, 'to')]
  const orderType = choice('order-type', flags, OrderType.options) ?? 'EXACT_INPUT'
  const counted = orderType === 'EXACT_INPUT' ? from : to
  const approvalMode = choice('approval-mode', flags, ApprovalMode.options)
  const slippage = flags.text('slippage')
  return {
    fromChain: from.chainId,
    fromToken: from.address,
    toChain: to.chainId,
    toToken: to.address,
    amount: parseAmount(flags.required('amount'), counted.decimals, choice('units', flags, UNITS)),
    orderType,
    sender,
    recipient: flags.text('recipient') ?? (await defaultRecipient(asking, from.chainId, to.chainId, sender)),
    ...(slippage === undefined ? {} : { slippageTolerance: numberOf('slippage', slippage) }),
    ...(approvalMode === undefined ? {} : { options: { approvalMode } }),
  }
}

const tokenOf = ({ flags, catalogue, findSandbox }: Asking, side: 'from' | 'to') =>
  namedToken(
    catalogue,
    { chainId: flags.required(`${side}-chain`), name: flags.required(`${side}-token`) },
    findSandbox,
  )

const UNITS: readonly AmountUnits[] = ['base', 'whole']

/** The flag's value among the allowed ones, or undefined if it was not given. Throws UsageError. */
export const choice = <T extends string>(
  name: string,
  flags: Flags,
  allowed: readonly T[],
): T | undefined => {
  const given = flags.text(name)
  if (given === undefined) return undefined
  const found = allowed.find((candidate) => candidate === given)
  if (found !== undefined) return found
  throw new UsageError(`--${name} is "${given}"; expected ${allowed.join(' or ')}`)
}

/** A flag's value as a number. Throws UsageError. */
export const numberOf = (name: string, text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new UsageError(`--${name} is "${text}"; expected a number`)
  return value
}

/** A sender's address is invalid in another family; a sandbox account is replaced by the one with the same index. */
const defaultRecipient = async (
  { catalogue, findSandbox }: Asking,
  fromChain: string,
  toChain: string,
  sender: string,
): Promise<string> => {
  const chainType = familyOf(findChain(catalogue, fromChain))
  const family = familyOf(findChain(catalogue, toChain))
  if (chainType === family) return sender
  const sandbox = await findSandbox()
  const counterpart =
    sandbox === undefined ? undefined : sameIndexAccount(sandbox, { chainType, address: sender }, family)
  if (counterpart !== undefined) return counterpart.address
  throw new UsageError(
    `--recipient is missing: ${sender} cannot receive on ${toChain}, whose addresses are of family ${family}`,
  )
}
