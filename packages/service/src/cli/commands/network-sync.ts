import { readFile, writeFile } from 'node:fs/promises'
import { ConfigError } from '../../core/config-error.ts'
import { visibleLine } from '../../lib/visible-text.ts'
import type { LeftOut } from '../../registry/left-out.ts'
import { type NetworkChange, networkChanges, WrittenFile } from '../../registry/network-changes.ts'
import { networkText } from '../../registry/network-text.ts'
import { publicSources, readSources, type SourcePlaces } from '../../registry/read-sources.ts'
import { AxelarNetwork } from '../../registry/sources.ts'
import type { syncNetwork } from '../../registry/sync-network.ts'
import { PUBLIC_UPSTREAM, type UpstreamFinding, upstreamFindings } from '../../registry/upstream.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import type { Flags } from '../flags.ts'
import { choice } from '../quote-flags.ts'

const placesOf = (network: AxelarNetwork, flags: Flags): SourcePlaces => {
  const known = publicSources(network)
  return {
    axelarConfig: flags.text('axelar-config') ?? known.axelarConfig,
    itsRegistry: flags.text('its-registry') ?? known.itsRegistry,
    axelarscanAssets: flags.text('axelarscan-assets') ?? known.axelarscanAssets,
    axelarscanChains: flags.text('axelarscan-chains') ?? known.axelarscanChains,
    chainList: flags.text('chain-list') ?? known.chainList,
  }
}

const readWritten = async (path: string): Promise<WrittenFile | undefined> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`--out ${path} cannot be read: ${error.message}`, { cause: error })
  })
  if (text === undefined) return undefined
  try {
    return WrittenFile.parse(JSON.parse(text))
  } catch (cause) {
    throw new ConfigError(`--out ${path} is no network file: move it away, or name another`, { cause })
  }
}

/** How many names follow a reason; the rest are counted. `--json` lists all. */
const SHOWN_NAMES = 12

const reasonLines = (leftOut: readonly LeftOut[]): readonly string[] =>
  [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, entries]) => {
    const names = entries.slice(0, SHOWN_NAMES).map(({ entry }) => entry)
    const more = entries.length > names.length ? `, and ${entries.length - names.length} more` : ''
    return `  ${String(entries.length).padStart(4)}  ${reason}: ${names.join(', ')}${more}`
  })

const SIGNS = { added: '+', removed: '-', changed: '~' } as const

const valueText = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value))

/** The entry, and below it what changes in it: an address of a contract must not change unseen. */
const changeLines = ({ kind, entry, values }: NetworkChange): readonly string[] => [
  `${SIGNS[kind]} ${entry}`,
  ...values.map(({ place, before, after }) => `    ${place}: ${valueText(before)} -> ${valueText(after)}`),
]

const summaryOf = ({
  file: { chains, tokens },
  ofOneOperator,
  mostlyListed,
}: ReturnType<typeof syncNetwork>): readonly string[] => {
  const single = chains.filter(({ rpcUrls }) => rpcUrls.length < 2).map(({ chainLabel }) => chainLabel)
  const unverified = tokens.filter(({ verified }) => !verified).length
  return [
    `${chains.length} chains, ${tokens.length} tokens, ${unverified} of them not verified`,
    ...(single.length === 0
      ? []
      : [`only one public endpoint: ${single.join(', ')}; add others by an overlay`]),
    ...(ofOneOperator.length === 0
      ? []
      : [
          `one operator has a majority of the endpoints: ${ofOneOperator.join(', ')}; add others by an overlay`,
        ]),
    ...(mostlyListed.length === 0
      ? []
      : [`the public list of chains names a majority of the endpoints: ${mostlyListed.join(', ')}`]),
  ]
}

const upstreamLine = ({ repository, writtenFor, found }: UpstreamFinding): string =>
  'fault' in found
    ? `warning: the tags of ${repository} cannot be read, and this version was written for ${writtenFor}: ${found.fault}`
    : `warning: ${repository} is at ${found.newest}, and this version was written for ${writtenFor}: read what changed, or update OpenRFQ`

/** Generates a network file from Axelar's public registries. */
export const networkSyncCommand: Command = {
  name: 'network sync',
  summary: "generate a network file from Axelar's public registries; shows what changes, writes with --yes",
  flags: [
    { name: 'network', value: 'network', help: 'mainnet (default) or testnet' },
    { name: 'out', value: 'file', help: 'the network file; default networks/<network>.json' },
    { name: 'axelar-config', value: 'place', help: "Axelar's chain configuration: a file or an address" },
    { name: 'its-registry', value: 'place', help: 'the interchain token registry: a file or an address' },
    { name: 'axelarscan-assets', value: 'place', help: "Axelarscan's gateway assets: a file or an address" },
    { name: 'axelarscan-chains', value: 'place', help: "Axelarscan's chains: a file or an address" },
    { name: 'chain-list', value: 'place', help: 'the public list of EVM chains: a file or an address' },
    {
      name: 'upstream',
      value: 'place',
      help: "where Axelar's repositories are, whose tags are compared: a folder or an address",
    },
    {
      name: 'gateway-assets',
      value: 'denoms',
      help: 'gateway assets to take for gateway and gateway-express, between commas; none by default',
    },
    { name: 'yes', help: 'write the file' },
  ],
  example: 'network sync --network mainnet --out networks/mainnet.json --yes',
  run: async ({ flags, json, terminal }) => {
    const network = choice('network', flags, AxelarNetwork.options) ?? 'mainnet'
    const out = flags.text('out') ?? `networks/${network}.json`
    const denoms = new Set((flags.text('gateway-assets') ?? '').split(',').flatMap((one) => one.trim() || []))
    const [sources, upstream] = await Promise.all([
      readSources(network, placesOf(network, flags)),
      upstreamFindings(flags.text('upstream') ?? PUBLIC_UPSTREAM),
    ])
    const unknown = [...denoms].find((denom) => sources.assets[denom] === undefined)
    if (unknown !== undefined) throw new ConfigError(`--gateway-assets: Axelarscan knows no asset ${unknown}`)
    const { syncNetwork: sync } = await import('../../registry/sync-network.ts')
    const synced = sync(sources, denoms)
    const { file, leftOut, ofOneOperator, mostlyListed } = synced
    const written = await readWritten(out)
    const changes = networkChanges(written, file)
    const writes = flags.has('yes') && changes.length > 0
    if (json)
      terminal.printJson({
        out,
        chains: file.chains.length,
        tokens: file.tokens.length,
        changes,
        leftOut,
        ofOneOperator,
        mostlyListed,
        upstream,
        written: writes,
      })
    else {
      const shown = written === undefined ? [`${out} is new`] : changes.flatMap(changeLines)
      const left = [`left out: ${leftOut.length}`, ...reasonLines(leftOut)]
      const warnings = upstream.map(upstreamLine)
      terminal.print(...[...shown, ...summaryOf(synced), ...left, ...warnings].map(visibleLine))
    }
    if (writes) await writeFile(out, networkText(file))
    if (!json) terminal.print(outcomeOf(out, changes.length, writes))
    return EXIT.done
  },
}

const outcomeOf = (out: string, changes: number, writes: boolean): string => {
  if (changes === 0) return `${out} is up to date`
  return writes ? `${out} written` : `nothing written: add --yes to write ${out}`
}
