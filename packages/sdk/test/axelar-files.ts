import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Network = {
  readonly chains: readonly {
    readonly chainId: string
    readonly axelar?: { readonly name: string; readonly gateway: string; readonly its?: string }
  }[]
  readonly tokens: readonly {
    readonly chainId: string
    readonly address: string
    readonly verified: boolean
    readonly its?: { readonly tokenId: string; readonly contract?: string }
  }[]
}

const NETWORKS = join(import.meta.dirname, '../../../networks')
const TARGET = join(import.meta.dirname, '../src/axelar/networks')

/** Lines of an object's members, each of a key and JSON. */
const members = (entries: Iterable<readonly [string, unknown]>): string =>
  [...entries].map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`).join('')

const moduleOf = (network: string, { chains, tokens }: Network): string => {
  const bridge = chains.flatMap(({ chainId, axelar }) => {
    if (axelar === undefined) return []
    const { name, gateway, its } = axelar
    return [[chainId, { name, gateway, ...(its === undefined ? {} : { its }) }] as const]
  })
  const ids = new Map<string, Record<string, string>>()
  for (const { chainId, address, verified, its } of tokens) {
    // The token id of others is their owners' word, as are further ids, and that of a native asset.
    if (!verified || its === undefined || its.contract !== undefined) continue
    ids.set(its.tokenId, { ...ids.get(its.tokenId), [chainId]: address })
  }
  const name = `axelar${network.charAt(0).toUpperCase()}${network.slice(1)}`
  return `// Written by \`npm run axelar\` from networks/${network}.json.
import { axelarGuards } from '../axelar-guards.ts'

/**
 * Axelar's ${network}: its names for chains, its gateways and token services, and the reviewed interchain tokens.
 * @example
 * const guards: Guards = { ...${name}, minimumOutput: 24_900_000n, maximumNativeFee: 10n ** 16n }
 */
export const ${name} = axelarGuards({
${members(bridge)}}, {
${members(ids)}})
`
}

/** The generated modules of the SDK, with their paths. */
export const axelarFiles = (): readonly { readonly path: string; readonly text: string }[] =>
  ['mainnet', 'testnet'].map((network) => {
    // CAST: the service's tests check the network files against its schema.
    const file = JSON.parse(readFileSync(join(NETWORKS, `${network}.json`), 'utf8')) as Network
    return { path: join(TARGET, `${network}.ts`), text: moduleOf(network, file) }
  })
