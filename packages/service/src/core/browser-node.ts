import type { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { WebAddress } from './web-address.ts'

const isWithoutLogin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === ''
}

/** A host that means only itself in the pages' content security policy. */
const PLAIN_HOST = /^[A-Za-z0-9.:[\]-]+$/

const HttpAddress = WebAddress.refine(
  isWithoutLogin,
  'expected an address without a user name and password',
).refine(
  (text) => PLAIN_HOST.test(URL.parse(text)?.host ?? ''),
  'expected the name or the IP address of a host',
)

/** A WebSocket's address under the rule of web addresses: encrypted, or of this machine. */
const SocketAddress = z
  .string()
  .refine(
    (text) => /^wss?:/.test(text) && HttpAddress.safeParse(text.replace(/^ws/, 'http')).success,
    'expected a wss:// address, or a ws:// address of this machine, without a user name and password',
  )

/** The members of a chain in the network file that name a node for browsers. The pages show them to everybody. */
export const BROWSER_NODE_MEMBERS = {
  /** A node that the pages ask for wallets on Solana and Stellar; without one the pages offer no wallet there. */
  browserRpcUrl: HttpAddress.optional(),
  /** Its WebSocket on Solana, where it is not at the same address. */
  browserSubscriptionsUrl: SocketAddress.optional(),
}

type ConfiguredChain = {
  readonly chainId: ChainId
  readonly chainType: string
  readonly passphrase?: string | undefined
  readonly rpcHeaders?: Readonly<Record<string, unknown>> | undefined
  readonly browserRpcUrl?: string | undefined
  readonly browserSubscriptionsUrl?: string | undefined
}

/** A URL in the one form that is compared; text that is no URL stays as it is. */
const plainOf = (url: string): string => URL.parse(url)?.href ?? url

/** Refuses a node for browsers that no page would use, or that the operator reads with a secret. */
export const checkBrowserNode = (chain: ConfiguredChain, context: z.RefinementCtx): void => {
  const { chainType, rpcHeaders = {}, browserRpcUrl, browserSubscriptionsUrl } = chain
  const refuse = (member: keyof typeof BROWSER_NODE_MEMBERS, message: string): void =>
    context.addIssue({ code: 'custom', path: [member], message })
  if (browserRpcUrl !== undefined && chainType === 'evm')
    refuse(
      'browserRpcUrl',
      'expected on Solana and Stellar only: wallets of EVM chains have nodes of their own',
    )
  if (browserRpcUrl !== undefined && Object.keys(rpcHeaders).map(plainOf).includes(plainOf(browserRpcUrl)))
    refuse('browserRpcUrl', 'expected a URL without rpcHeaders, because pages send none')
  if (browserSubscriptionsUrl !== undefined && (chainType !== 'solana' || browserRpcUrl === undefined))
    refuse('browserSubscriptionsUrl', 'expected beside browserRpcUrl of a chain on Solana only')
}

/** A node that pages may ask, as they are told of it. */
export type BrowserNode = {
  readonly chainId: ChainId
  readonly rpcUrl: string
  readonly subscriptionsUrl?: string
  /** Of a Stellar network. */
  readonly passphrase?: string
  readonly assets: readonly { readonly code: string; readonly issuer: string }[]
}

type ConfiguredToken = {
  readonly chainId: ChainId
  readonly stellar?: BrowserNode['assets'][number] | undefined
}

/** The nodes for browsers that a network names, with what wallets need beside them; nothing else of the network. */
export const browserNodes = ({
  chains,
  tokens,
}: {
  readonly chains: readonly ConfiguredChain[]
  readonly tokens: readonly ConfiguredToken[]
}): readonly BrowserNode[] =>
  chains.flatMap(
    ({ chainId, passphrase, browserRpcUrl: rpcUrl, browserSubscriptionsUrl: subscriptionsUrl }) => {
      if (rpcUrl === undefined) return []
      const assets = tokens.flatMap((token) =>
        token.chainId === chainId && token.stellar !== undefined
          ? [{ code: token.stellar.code, issuer: token.stellar.issuer }]
          : [],
      )
      return [
        {
          ...{ chainId, rpcUrl, assets },
          ...(subscriptionsUrl === undefined ? {} : { subscriptionsUrl }),
          ...(passphrase === undefined ? {} : { passphrase }),
        },
      ]
    },
  )
