import type { Chain } from '@openrfq/sdk'
import { type IssuedAsset, passphraseOf, type StellarAssets } from '@openrfq/sdk/stellar'
import { familyOf } from './catalogue.ts'
import type { SandboxInfo } from './sandbox-client.ts'
import { UsageError } from './usage-error.ts'
import type { ChainNode } from './wallets/chain-node.ts'

/** Finds the sandbox behind the service; resolves to undefined if the service serves real chains. */
export type FindSandbox = () => Promise<SandboxInfo | undefined>

/** The flags about reaching a chain. */
export type NodeWords = {
  readonly rpcUrl?: string | undefined
  readonly subscriptionsUrl?: string | undefined
  /** Named issued assets of Stellar. */
  readonly assets?: readonly IssuedAsset[]
}

/**
 * The Stellar network of a chain identifier, with the named assets and, for the sandbox, all of its own. Undefined if
 * its passphrase is unknown.
 */
export const stellarAssetsOf = async (
  chainId: string,
  named: readonly IssuedAsset[],
  findSandbox: FindSandbox,
): Promise<StellarAssets | undefined> => {
  const known = passphraseOf(chainId)
  if (known !== undefined) return { passphrase: known, assets: named }
  const sandbox = await findSandbox()
  const passphrase = sandbox?.chains.find((chain) => chain.chainId === chainId)?.networkPassphrase
  if (sandbox === undefined || passphrase === undefined) return undefined
  const own = sandbox.tokens.flatMap((token) =>
    token.chainId === chainId && token.stellar !== undefined ? [token.stellar] : [],
  )
  return { passphrase, assets: [...named, ...own] }
}

/** The node of the chain: from the flags, else from the sandbox. Throws UsageError. */
export const nodeOf = async (
  chain: Chain,
  words: NodeWords,
  findSandbox: FindSandbox,
): Promise<ChainNode> => {
  const { chainId } = chain
  const chainType = familyOf(chain)
  const sandboxed =
    words.rpcUrl === undefined
      ? (await findSandbox())?.chains.find((known) => known.chainId === chainId)
      : undefined
  const rpcUrl = words.rpcUrl ?? sandboxed?.rpcUrl
  if (rpcUrl === undefined) throw new UsageError(`--rpc is missing: the RPC address of ${chainId}`)
  if (chainType === 'evm') return { chainType, rpcUrl }
  if (chainType === 'solana')
    return { chainType, rpcUrl, subscriptionsUrl: words.subscriptionsUrl ?? sandboxed?.subscriptionsUrl }
  const assets = await stellarAssetsOf(chainId, words.assets ?? [], findSandbox)
  if (assets === undefined) throw new UsageError(`the network passphrase of ${chainId} is not known here`)
  return { chainType, rpcUrl, ...assets }
}
