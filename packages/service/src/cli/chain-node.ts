import type { Chain } from '@openrfq/sdk'
import { type IssuedAsset, passphraseOf, type StellarAssets } from '@openrfq/sdk/stellar'
import { familyOf } from './catalogue.ts'
import type { SandboxInfo } from './sandbox-client.ts'
import { UsageError } from './usage-error.ts'
import type { ChainNode } from './wallets/chain-node.ts'

/** Asks for the sandbox behind the service; answers undefined when the service serves real chains. */
export type FindSandbox = () => Promise<SandboxInfo | undefined>

/** What the command line says about reaching a chain beside its identifier. */
export type NodeWords = {
  readonly rpcUrl?: string | undefined
  readonly subscriptionsUrl?: string | undefined
  /** Issued assets of Stellar that were named. */
  readonly assets?: readonly IssuedAsset[]
}

/**
 * The Stellar network behind a chain's identifier, with the named assets and, of the sandbox, all of its own. Undefined
 * when nobody knows its passphrase.
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

/** How the chain is reached: through the named addresses, else through the sandbox's. Throws UsageError. */
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
