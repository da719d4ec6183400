import { readFileSync } from 'node:fs'
import { ConfigError } from '../core/config-error.ts'
import { Network } from '../core/network.ts'
import { type MergedNetwork, mergeOverlay } from './merge-overlay.ts'

/** The paths of the network file and of the operator's overlay, as the environment names them. */
export type NetworkPaths = { readonly RFQ_CONFIG: string; readonly RFQ_OVERLAY?: string | undefined }

/** The paths in an environment, where an empty variable counts as unset; undefined without a network file. */
export const networkPathsOf = (
  environment: Readonly<Record<string, string | undefined>>,
): NetworkPaths | undefined => {
  const { RFQ_CONFIG = '', RFQ_OVERLAY = '' } = environment
  return RFQ_CONFIG === '' ? undefined : { RFQ_CONFIG, ...(RFQ_OVERLAY === '' ? {} : { RFQ_OVERLAY }) }
}

/** Why a network file cannot be read, with what to do about it. */
const faultsOf = (variable: string): Readonly<Record<string, string>> => ({
  ENOENT: `there is no such file; set ${variable} to the path of a network file (docs/operations.md)`,
  EISDIR: `this is a folder; set ${variable} to the path of a network file (docs/operations.md)`,
  EACCES: `this user may not read the file; let it, or set ${variable} to another one`,
})

const parseFile = (variable: string, path: string): unknown => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const fault =
      faultsOf(variable)[String(Object(cause).code)] ?? `the file cannot be read (${String(cause)})`
    throw new ConfigError(`${variable} ${path}: ${fault}`, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(`${variable} ${path}: the file is not JSON (${String(cause)}); correct it`, {
      cause,
    })
  }
}

/** A mistake in a network file: the file, the place in it, and what is wrong. */
type NetworkProblem = Place & { readonly problem: string }
type Place = { readonly file: string; readonly place: string }
type Path = readonly PropertyKey[]

/** A network, or every mistake in its text; `fileOf` finds where a place of the network is written. */
type ParsedNetwork = {
  readonly data: Network | undefined
  readonly problems: readonly NetworkProblem[]
  readonly fileOf: (path: Path) => Place
}

/** A part of a path; of an endpoint's address the host alone, because the rest may hold a key. */
const withoutKey = (part: PropertyKey): string => {
  const text = String(part)
  if (!text.includes('://')) return text
  return URL.parse(text)?.host || 'an address'
}

const placeIn = (
  { RFQ_CONFIG, RFQ_OVERLAY }: NetworkPaths,
  { isOverlay, path }: ReturnType<MergedNetwork['locate']>,
): Place => ({
  file: isOverlay ? `RFQ_OVERLAY ${RFQ_OVERLAY}` : `RFQ_CONFIG ${RFQ_CONFIG}`,
  place: path.map(withoutKey).join('.'),
})

const problemOf = (
  paths: NetworkPaths,
  place: ReturnType<MergedNetwork['locate']>,
  message: string,
): NetworkProblem => ({
  ...placeIn(paths, place),
  problem: message.replace(/^Invalid input: (expected .*), received undefined$/, 'missing, $1'),
})

/**
 * Reads a network file with its overlay: the network, or every mistake in them. Throws ConfigError for a file that cannot
 * be read.
 */
export const parseNetwork = (paths: NetworkPaths): ParsedNetwork => {
  const overlay = paths.RFQ_OVERLAY === undefined ? {} : parseFile('RFQ_OVERLAY', paths.RFQ_OVERLAY)
  const { network, locate } = mergeOverlay(parseFile('RFQ_CONFIG', paths.RFQ_CONFIG), overlay)
  const parsed = Network.safeParse(network)
  const issues = parsed.error?.issues ?? []
  return {
    data: parsed.data,
    problems: issues.map(({ path, message }) => problemOf(paths, locate(path), message)),
    fileOf: (path) => placeIn(paths, locate(path)),
  }
}

const MAX_PROBLEMS = 5

/** The first problems in one line, by file. */
const tell = (problems: readonly NetworkProblem[]): string => {
  const shown = problems.slice(0, MAX_PROBLEMS)
  const lines = [...Map.groupBy(shown, ({ file }) => file)].map(([file, of]) => {
    const told = of.map(({ place, problem }) => (place === '' ? problem : `${place}: ${problem}`))
    return `${file}: ${told.join('; ')}`
  })
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : []
  return [...lines, ...more].join('; ')
}

/** Reads a network file with its overlay. Throws ConfigError for a mistake, with the file and the place in it. */
export const readNetwork = (paths: NetworkPaths): Network => {
  const { data, problems } = parseNetwork(paths)
  if (data === undefined) throw new ConfigError(tell(problems))
  return data
}
