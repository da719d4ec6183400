import type { ChainId } from '@openrfq/sdk'
import { RfqError } from '@openrfq/sdk'
import type { Catalog } from '../chains/catalog.ts'
import type { Chain } from '../core/chain.ts'
import type { Asset, Order, QuoteRequest } from '../core/order.ts'
import { DEFAULT_SLIPPAGE, toSlippage } from '../core/slippage.ts'
import type { Listing } from './listing.ts'
import type { RefusedAccounts } from './refused-accounts.ts'

type ChainField = 'fromChain' | 'toChain'
type TokenField = 'fromToken' | 'toToken'
type PartyField = 'sender' | 'recipient'

/** What resolving needs: the catalogue, its served part, and the refused accounts. */
export type ResolveDeps = {
  readonly catalog: Catalog
  readonly listing: Listing
  readonly refusedAccounts: RefusedAccounts
}

const resolveChain = (deps: ResolveDeps, field: ChainField, chainId: ChainId): Chain => {
  const chain = deps.listing.chain(chainId)
  if (chain === undefined)
    throw new RfqError('UNSUPPORTED_CHAIN', `${field} is not supported: ${chainId}`, {
      field,
      chain: chainId,
    })
  return chain
}

const malformed = (field: string, value: string, chain: Chain, expected: string): RfqError =>
  new RfqError(
    'INVALID_REQUEST',
    `${field} is not an address on ${chain.chainLabel}: ${value}; expected ${expected}`,
    {
      field,
      value,
      chain: chain.chainId,
      expected: chain.chainType,
    },
  )

const tokenAddress = (deps: ResolveDeps, field: TokenField, chain: Chain, text: string): string => {
  const rules = deps.catalog.rules(chain.chainType)
  const address = rules.parseToken(text)
  if (address === undefined) throw malformed(field, text, chain, rules.expected.token)
  return address
}

const resolveAsset = (deps: ResolveDeps, field: TokenField, chain: Chain, address: string): Asset => {
  const token = deps.listing.token(chain.chainId, address)
  if (token === undefined)
    throw new RfqError('UNSUPPORTED_TOKEN', `${field} is not supported on ${chain.chainLabel}: ${address}`, {
      field,
      chain: chain.chainId,
      token: address,
    })
  return { chain, token }
}

const resolveParty = (deps: ResolveDeps, field: PartyField, chain: Chain, text: string): string => {
  const rules = deps.catalog.rules(chain.chainType)
  const address = field === 'sender' ? rules.parseSender(text) : rules.parseRecipient(text)
  if (address === undefined) throw malformed(field, text, chain, rules.expected[field])
  const refusedOn = deps.refusedAccounts.get(chain.chainId)?.get(rules.holderOf(address))
  if (refusedOn !== undefined)
    throw new RfqError(
      'INVALID_REQUEST',
      `${field} is a token or protocol account on ${refusedOn}: ${address}; expected a wallet`,
      { field, value: address, chain: chain.chainId, expected: chain.chainType },
    )
  return address
}

/**
 * Resolves a well-formed request to an order, with the documented order of checks: chains, token form, tokens, sender,
 * recipient. Throws UNSUPPORTED_CHAIN, UNSUPPORTED_TOKEN, and INVALID_REQUEST for an address that is invalid on its
 * chain or refused.
 */
export const resolveOrder = (
  deps: ResolveDeps,
  request: QuoteRequest,
  answer: Pick<Order, 'createdAt' | 'answerId' | 'client'>,
): Order => {
  const fromChain = resolveChain(deps, 'fromChain', request.fromChain)
  const toChain = resolveChain(deps, 'toChain', request.toChain)
  const fromAddress = tokenAddress(deps, 'fromToken', fromChain, request.fromToken)
  const toAddress = tokenAddress(deps, 'toToken', toChain, request.toToken)
  return {
    from: resolveAsset(deps, 'fromToken', fromChain, fromAddress),
    to: resolveAsset(deps, 'toToken', toChain, toAddress),
    sender: resolveParty(deps, 'sender', fromChain, request.sender),
    recipient: resolveParty(deps, 'recipient', toChain, request.recipient),
    amount: request.amount,
    orderType: request.orderType,
    slippage:
      request.slippageTolerance === undefined ? DEFAULT_SLIPPAGE : toSlippage(request.slippageTolerance),
    approvalMode: request.options?.approvalMode ?? 'EXACT',
    ...answer,
  }
}
