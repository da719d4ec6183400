import { type ChainNode, type FindNode, nodeOf, type Signer } from './payer.ts'

/** The parts of `GET /sandbox` that the pages use. */
export type Sandbox = {
  readonly chains: readonly {
    readonly chainId: string
    readonly chainType: string
    readonly chainLabel: string
    readonly rpcUrl: string
    readonly subscriptionsUrl?: string
    readonly networkPassphrase?: string
    readonly exchange?: { readonly pools: readonly { readonly token0: string; readonly token1: string }[] }
  }[]
  readonly accounts: readonly {
    readonly chainType: string
    readonly address: string
    readonly privateKey: string
  }[]
  readonly tokens: readonly {
    readonly chainId: string
    readonly stellar?: { readonly code: string; readonly issuer: string }
  }[]
  readonly solvers: readonly { readonly mode: string }[]
  /** The attester's address; absent without chains that need one. */
  readonly attester?: string
}

const isList = (value: unknown): boolean => Array.isArray(value)

/** The sandbox of the service, which the page is marked with; undefined where there is none, or where it is not for this page. */
export const findSandbox = async (baseUrl: string): Promise<Sandbox | undefined> => {
  if (document.documentElement.dataset['sandbox'] === undefined) return undefined
  const response = await fetch(new URL('sandbox', baseUrl)).catch(() => undefined)
  if (response?.ok !== true) return undefined
  const described: unknown = await response.json()
  const { chains, accounts, tokens, solvers } = Object(described)
  // CAST: the service's own sandbox says so.
  return [chains, accounts, tokens, solvers].every(isList) ? (described as Sandbox) : undefined
}

/** Uses one of the sandbox's controls. Rejects with its refusal. */
export const control = async (baseUrl: string, name: string, body: unknown): Promise<void> => {
  const response = await fetch(new URL(`sandbox/${name}`, baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(Object(await response.json()).error?.message ?? `HTTP ${response.status}`)
}

/** The nodes of the sandbox's chains. */
export const sandboxNodes =
  (sandbox: Sandbox | undefined): FindNode =>
  (chainId) => {
    const chain = sandbox?.chains.find((one) => one.chainId === chainId)
    if (sandbox === undefined || chain === undefined) return undefined
    const { rpcUrl, subscriptionsUrl, networkPassphrase: passphrase = '' } = chain
    const assets = sandbox.tokens.flatMap((token) =>
      token.chainId === chainId && token.stellar !== undefined ? [token.stellar] : [],
    )
    return { rpcUrl, subscriptionsUrl, passphrase, assets }
  }

/** The sandbox's accounts of a family. */
export const sandboxSigners = (sandbox: Sandbox | undefined, family: string | undefined): readonly Signer[] =>
  (sandbox?.accounts ?? [])
    .filter(({ chainType }) => chainType === family)
    .map(({ chainType, address, privateKey }, index) => ({
      kind: 'signer',
      family: chainType,
      name: `Sandbox account ${index}`,
      address,
      open: async (chainId, findNode) => payerByKey(chainType, privateKey, nodeOf(findNode, chainId)),
    }))

const payerByKey = async (family: string, privateKey: string, node: ChainNode) => {
  const { rpcUrl, subscriptionsUrl } = node
  if (family === 'solana') {
    const { connectSolana, solanaPayer } = await import('@openrfq/sdk/solana')
    return solanaPayer(await connectSolana(privateKey, rpcUrl, subscriptionsUrl))
  }
  if (family === 'stellar') {
    const { connectStellar, stellarPayer } = await import('@openrfq/sdk/stellar')
    return stellarPayer(await connectStellar(privateKey, node))
  }
  const { connectEvm, evmPayer } = await import('@openrfq/sdk/evm')
  return evmPayer(connectEvm(privateKey, rpcUrl))
}
