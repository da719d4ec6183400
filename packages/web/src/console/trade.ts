import type { Chain, ListedToken, QuoteParams } from '@openrfq/sdk'

/** What the form says, as it is typed. */
export type Trade = {
  readonly fromChain: string
  readonly fromToken: string
  readonly toChain: string
  readonly toToken: string
  readonly amount: string
  readonly orderType: 'EXACT_INPUT' | 'EXACT_OUTPUT'
  readonly recipient: string
}

/** Chains and tokens that the service serves. */
export type Lists = { readonly chains: readonly Chain[]; readonly tokens: readonly ListedToken[] }

const DEFAULT_SYMBOL = /^(axl)?USDC$/

/** The tokens of a chain, reviewed ones first, then by symbol. */
export const tokensOn = ({ tokens }: Lists, chain: string): readonly ListedToken[] =>
  tokens
    .filter(({ chainId }) => chainId === chain)
    .toSorted(
      (one, other) => Number(other.verified) - Number(one.verified) || (one.symbol < other.symbol ? -1 : 1),
    )

export const findToken = ({ tokens }: Lists, chain: string, address: string): ListedToken | undefined =>
  tokens.find((token) => token.chainId === chain && token.address === address)

/** The token of a chain that is shown first: dollars where there are some. */
export const firstToken = (lists: Lists, chain: string): string => {
  const tokens = tokensOn(lists, chain)
  return (tokens.find(({ symbol }) => DEFAULT_SYMBOL.test(symbol)) ?? tokens[0])?.address ?? ''
}

/** A trade to begin with: dollars from the first chain to one of another family, else to the second chain. */
export const firstTrade = (lists: Lists): Trade => {
  const [from, second] = lists.chains
  const to = lists.chains.find(({ chainType }) => chainType !== from?.chainType) ?? second
  const [fromChain = '', toChain = ''] = [from?.chainId, to?.chainId]
  return {
    fromChain,
    fromToken: firstToken(lists, fromChain),
    toChain,
    toToken: firstToken(lists, toChain),
    amount: '25',
    orderType: 'EXACT_INPUT',
    recipient: '',
  }
}

/** Whole tokens as typed in base units; a sentence when they cannot be. */
export const parseAmount = (text: string, decimals: number): bigint | string => {
  const plain = text.trim().replaceAll(',', '')
  const [, whole, fraction = ''] = /^([0-9]{1,60})(?:\.([0-9]*))?$/.exec(plain) ?? []
  if (whole === undefined) return 'Give an amount in digits, such as 25 or 0.5.'
  if (fraction.replace(/0+$/, '').length > decimals)
    return `This token has ${decimals} decimals; the amount has more.`
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return units === 0n ? 'Give an amount above zero.' : units
}

/** The request for a trade; a sentence when something is missing. */
export const requestOf = (lists: Lists, trade: Trade, sender: string | undefined): QuoteParams | string => {
  const { fromChain, fromToken, toChain, toToken, orderType } = trade
  const from = findToken(lists, fromChain, fromToken)
  const to = findToken(lists, toChain, toToken)
  if (from === undefined || to === undefined) return 'Choose what to pay and what to receive.'
  if (fromChain === toChain) return 'Choose two different chains.'
  const amount = parseAmount(trade.amount, orderType === 'EXACT_INPUT' ? from.decimals : to.decimals)
  if (typeof amount === 'string') return amount
  if (sender === undefined || sender === '') return 'Choose who pays.'
  const recipient = trade.recipient.trim()
  if (recipient === '') return 'Give the address that receives.'
  return { fromChain, fromToken, toChain, toToken, amount, orderType, sender, recipient }
}
