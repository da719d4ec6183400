import type { Chain, ChainId, Client, FeeEntry, ListedToken } from '@openrfq/sdk'
import { ChainType, formatUnits, RfqError } from '@openrfq/sdk'
import { isSameAddress } from '../core/comparable-address.ts'
import { treatmentText } from './code-texts.ts'
import { UsageError } from './usage-error.ts'

/** The listed chains and tokens, to resolve and show names. */
export type Catalogue = {
  readonly chains: readonly Chain[]
  readonly tokens: readonly ListedToken[]
}

/** An amount in base units of a token on a chain, as in quotes and statuses. */
type Amount = { readonly chain: ChainId; readonly token: string; readonly amount: string }

/** Fetches all listed chains and tokens. */
export const loadCatalogue = async (client: Client): Promise<Catalogue> => {
  const [chains, tokens] = await Promise.all([client.getChains(), client.getTokens()])
  return { chains, tokens }
}

/** The listed chain. Throws UNSUPPORTED_CHAIN with the listed ones. */
export const findChain = ({ chains }: Catalogue, chainId: string): Chain => {
  const chain = chains.find((candidate) => candidate.chainId === chainId)
  if (chain !== undefined) return chain
  const served =
    chains.length === 0
      ? 'the service serves no chain at the moment; /readyz says what is missing'
      : `served are ${chains.map((candidate) => candidate.chainId).join(', ')}`
  throw new RfqError('UNSUPPORTED_CHAIN', `chain "${chainId}" is not served; ${served}`, { chain: chainId })
}

/**
 * The listed token with this address or symbol (in any case) on the chain. Throws UNSUPPORTED_TOKEN if there is none
 * and UsageError if several share the symbol.
 */
export const findToken = (catalogue: Catalogue, chainId: string, name: string): ListedToken => {
  const { chainId: chain } = findChain(catalogue, chainId)
  const onChain = catalogue.tokens.filter((token) => token.chainId === chain)
  const byAddress = onChain.find((token) => isSameAddress(token.address, name))
  if (byAddress !== undefined) return byAddress
  const [token, ...others] = onChain.filter(({ symbol }) => symbol.toLowerCase() === name.toLowerCase())
  if (token === undefined) {
    const symbols = onChain.map(({ symbol }) => symbol).join(', ')
    throw new RfqError(
      'UNSUPPORTED_TOKEN',
      `token "${name}" is not listed on ${chain}; listed are ${symbols}`,
      {
        chain,
        token: name,
      },
    )
  }
  if (others.length === 0) return token
  const addresses = [token, ...others].map(({ address }) => address).join(', ')
  throw new UsageError(
    `several tokens on ${chain} are called "${name}"; name one by its address: ${addresses}`,
  )
}

/** The family of a chain. Throws UsageError for an unknown one. */
export const familyOf = ({ chainId, chainType }: Chain): ChainType => {
  const known = ChainType.options.find((family) => family === chainType)
  if (known !== undefined) return known
  throw new UsageError(`chain ${chainId} is of the family "${chainType}", which this version does not know`)
}

/** Formats an amount with its base units: `1.5 USDC (1500000)`; for an unlisted token only the base units. */
export const amountText = (catalogue: Catalogue, { chain, token, amount }: Amount): string => {
  const listed = catalogue.tokens.find(
    ({ chainId, address }) => chainId === chain && isSameAddress(address, token),
  )
  return listed === undefined
    ? `${amount} base units of ${token}`
    : `${formatUnits(BigInt(amount), listed.decimals)} ${listed.symbol} (${amount})`
}

/** Formats a fee with its base units, its USD value if known, and whether it comes on top of the quoted amounts. */
export const feeText = (catalogue: Catalogue, fee: FeeEntry): string => {
  const { amount, token, paymentMethod, quoteTreatment } = fee
  const value =
    'address' in token
      ? amountText(catalogue, { chain: token.chain, token: token.address, amount })
      : nativeText(catalogue, token.chain, amount)
  const usd = fee.amountUsdApprox === undefined ? '' : `, about $${fee.amountUsdApprox}`
  return `${value}${usd}, ${treatmentText(quoteTreatment, paymentMethod)}`
}

/** Formats a chain: name and identifier. */
export const chainText = ({ chains }: Catalogue, chainId: ChainId): string => {
  const chain = chains.find((candidate) => candidate.chainId === chainId)
  return chain === undefined ? chainId : `${chain.chainLabel} (${chainId})`
}

const nativeText = ({ chains }: Catalogue, chainId: ChainId, amount: string): string => {
  const chain = chains.find((candidate) => candidate.chainId === chainId)
  if (chain === undefined) return `${amount} base units`
  const { decimals, symbol } = chain.nativeToken
  return `${formatUnits(BigInt(amount), decimals)} ${symbol} (${amount})`
}
