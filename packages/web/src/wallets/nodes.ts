import type { ChainNode, FindNode } from './payer.ts'
import { type Sandbox, sandboxNodes } from './sandbox.ts'

/** A node for browsers that the operator names, as the page is told of it. */
type NamedNode = Omit<ChainNode, 'subscriptionsUrl' | 'passphrase'> & {
  readonly chainId: string
  readonly subscriptionsUrl?: string
  readonly passphrase?: string
}

const namedNodes = (): readonly NamedNode[] => {
  const text = document.documentElement.dataset['nodes']
  // CAST: the service wrote it into its own page.
  return text === undefined ? [] : (JSON.parse(text) as readonly NamedNode[])
}

const findNamed: FindNode = (chainId) => {
  const node = namedNodes().find((one) => one.chainId === chainId)
  if (node === undefined) return undefined
  const { rpcUrl, subscriptionsUrl, passphrase = '', assets } = node
  return { rpcUrl, subscriptionsUrl, passphrase, assets }
}

/** The nodes that the page may ask: those of a sandbox, elsewhere those that the operator names for browsers. */
export const nodesOf = (sandbox: Sandbox | undefined): FindNode =>
  sandbox === undefined ? findNamed : sandboxNodes(sandbox)
