import { Network, type NetworkChain, type NetworkToken } from '../src/core/network.ts'

/** The number of the first chain that is added. */
const FIRST_NUMBER = 9_000_001

/** A chain like another, under a number and an Axelar name of its own. */
const copyOf = ({ axelar, ...chain }: NetworkChain, index: number): NetworkChain => ({
  ...chain,
  chainId: `eip155:${FIRST_NUMBER + index}`,
  chainLabel: `Wide ${index}`,
  ...(axelar === undefined ? {} : { axelar: { ...axelar, name: `wide-${index}` } }),
})

/**
 * A network with so many EVM chains and tokens: those of the given one, and copies of its chains, which take turns in having
 * one more of its interchain tokens.
 */
export const wideNetwork = (network: Network, chainCount: number, tokenCount: number): Network => {
  const evm = network.chains.filter(({ chainType }) => chainType === 'evm')
  // A copy of Hedera would have tokens of more decimals than its supplies of 63 bits allow.
  const served = evm.filter(
    ({ axelar, tokenStandard }) => axelar?.its !== undefined && tokenStandard === undefined,
  )
  const evmIds = new Set(evm.map(({ chainId }) => chainId))
  const tokens: NetworkToken[] = network.tokens.filter(({ chainId }) => evmIds.has(chainId))
  const added = Array.from({ length: chainCount - evm.length }, (_, index) => {
    const like = served[index % served.length]
    return like === undefined ? [] : [copyOf(like, index)]
  }).flat()
  const kinds = [
    ...new Map(
      // A native asset belongs to its own chain.
      tokens.flatMap((token) =>
        token.its === undefined || token.its.contract !== undefined
          ? []
          : [[token.its.tokenId, token] as const],
      ),
    ).values(),
  ]
  for (let turn = 0; tokens.length < tokenCount; turn += 1) {
    const chain = added[turn % added.length]
    const round = Math.floor(turn / added.length)
    const token = kinds[(round * 7 + (turn % added.length)) % kinds.length]
    if (chain === undefined || token === undefined || round >= kinds.length) break
    const { chainId } = chain
    const isThere = tokens.some(
      (one) =>
        one.chainId === chainId && (one.its?.tokenId === token.its?.tokenId || one.address === token.address),
    )
    // Two tokens have one id in common at most.
    const its = token.its === undefined ? undefined : { tokenId: token.its.tokenId }
    if (!isThere) tokens.push({ ...token, chainId, its })
  }
  return Network.parse({ ...network, chains: [...evm, ...added], tokens })
}
