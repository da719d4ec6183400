import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigError } from '../core/config-error.ts'
import { createHttpClient } from '../lib/http-client.ts'
import { ChainList } from './chain-list.ts'
import {
  AxelarConfig,
  type AxelarNetwork,
  ScanAssets,
  ScanChains,
  type Sources,
  TokenRegistry,
} from './sources.ts'

/** Where the sources are: files or http(s) addresses. */
export type SourcePlaces = {
  readonly axelarConfig: string
  readonly itsRegistry: string
  readonly axelarscanAssets: string
  readonly axelarscanChains: string
  /** The public list of EVM chains. */
  readonly chainList: string
}

const DEADLINE_MS = 30_000
const MAX_BYTES = 16 * 1024 * 1024
const REPOSITORIES = 'https://raw.githubusercontent.com/axelarnetwork'

/** The public sources of a network. */
export const publicSources = (network: AxelarNetwork): SourcePlaces => ({
  axelarConfig: `${REPOSITORIES}/axelar-contract-deployments/main/axelar-chains-config/info/${network}.json`,
  itsRegistry: `${REPOSITORIES}/axelar-configs/main/registry/${network}/interchain/squid.tokenlist.json`,
  axelarscanAssets: `${REPOSITORIES}/axelarscan-api/main/config/assets.json`,
  axelarscanChains: `${REPOSITORIES}/axelarscan-api/main/config/chains.json`,
  chainList: 'https://chainid.network/chains.json',
})

/** The text of a file or of an http(s) address. Rejects if it cannot be read. */
export const readText = async (place: string): Promise<string> => {
  if (!/^https?:/.test(place)) return readFile(place, 'utf8')
  const http = createHttpClient()
  try {
    const { status, text } = await http.send({
      url: new URL(place),
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
    })
    if (status !== 200) throw new Error(`HTTP status ${status}`)
    return text
  } finally {
    http.close()
  }
}

const readSource = async <Schema extends z.ZodType>(
  place: string,
  schema: Schema,
): Promise<z.output<Schema>> => {
  let value: unknown
  try {
    value = JSON.parse(await readText(place))
  } catch (cause) {
    throw new ConfigError(`${place} cannot be read as JSON: ${String(cause)}`, { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  throw new ConfigError(`${place} has another shape: ${first?.path.join('.')}: ${first?.message}`)
}

/** The schema of a file that holds both networks, as what it says of one. */
const ofNetwork = <Schema extends z.ZodType>(network: AxelarNetwork, schema: Schema) =>
  z
    .record(z.string(), z.unknown())
    .transform((file) => file[network])
    .pipe(schema)

/** Reads and parses the sources of a network. Throws ConfigError that names the source. */
export const readSources = async (network: AxelarNetwork, places: SourcePlaces): Promise<Sources> => {
  const [config, registry, assets, chains, chainList] = await Promise.all([
    readSource(places.axelarConfig, AxelarConfig),
    readSource(places.itsRegistry, TokenRegistry),
    readSource(places.axelarscanAssets, ofNetwork(network, ScanAssets)),
    readSource(places.axelarscanChains, ofNetwork(network, ScanChains)),
    readSource(places.chainList, ChainList),
  ])
  return { network, config, registry, assets, chains, chainList }
}
