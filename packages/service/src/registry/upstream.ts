import { isNewerVersion, TESTED_AXELAR_CORE } from '../core/axelar-core.ts'
import { readText } from './read-sources.ts'

/**
 * What this version of the service was written for, by repository of Axelar: the newest tag of what it uses there, or the commit of `main`
 * of a repository that does not tag its releases.
 */
export const WRITTEN_FOR = {
  'axelar-core': `v${TESTED_AXELAR_CORE}`,
  'axelar-amplifier': 'interchain-token-service-v1.3.2',
  'interchain-token-service': 'v2.2.0',
  'axelar-cgp-solidity': 'v6.4.0',
  'axelar-gmp-sdk-solidity': 'v6.2.0',
  'axelar-amplifier-solana': 'solana-axelar-its-v1.1.0',
  'axelar-amplifier-stellar': 'stellar-interchain-token-service-v2.0.0',
  'axelar-contract-deployments': 'c8976262ba45f99120fe3976bb8d752f79694d43',
} as const

/** Where the repositories of Axelar are. */
export const PUBLIC_UPSTREAM = 'https://github.com/axelarnetwork'

/** A repository that has moved on since this version was written, or whose tags cannot be read. */
export type UpstreamFinding = {
  readonly repository: string
  readonly writtenFor: string
  /** The newest tag or the commit of `main`, or why it is not known. */
  readonly found: { readonly newest: string } | { readonly fault: string }
}

/** A reference as git lists it: the smart HTTP protocol of a server, or the text of `git ls-remote`. */
const REFERENCE = /([0-9a-f]{40})[ \t]refs\/(?:heads\/(main)|tags\/([\w.+-]{1,100}))(?=[\0\n]|$)/g

/** The newest among a repository's references of the kind that it is recorded by; undefined without any. */
const newestOf = (text: string, writtenFor: string): string | undefined => {
  const references = [...text.matchAll(REFERENCE)]
  const prefix = /^(.*?)\d+\.\d+\.\d+$/.exec(writtenFor)?.[1]
  if (prefix === undefined) return references.find(([, , branch]) => branch !== undefined)?.[1]
  const versions = references.flatMap(([, , , tag = '']) =>
    tag.startsWith(prefix) && /^\d+\.\d+\.\d+$/.test(tag.slice(prefix.length))
      ? [tag.slice(prefix.length)]
      : [],
  )
  const newest = versions.find((one) => !versions.some((other) => isNewerVersion(other, one)))
  return newest === undefined ? undefined : `${prefix}${newest}`
}

const lookAt = async (
  place: string,
  [repository, writtenFor]: readonly [string, string],
): Promise<readonly UpstreamFinding[]> => {
  const isServer = /^https?:/.test(place)
  const path = `${place}/${repository}${isServer ? '.git/info/refs?service=git-upload-pack' : ''}`
  try {
    const newest = newestOf(await readText(path), writtenFor)
    if (newest === writtenFor) return []
    const found = newest === undefined ? { fault: 'it lists no such tag' } : { newest }
    return [{ repository, writtenFor, found }]
  } catch (error) {
    return [{ repository, writtenFor, found: { fault: String(error) } }]
  }
}

/**
 * Compares Axelar's repositories with what this version was written for. `place` is the address of a git server's folder, or a
 * folder with one file of references for each repository. Never rejects.
 */
export const upstreamFindings = async (place: string): Promise<readonly UpstreamFinding[]> =>
  (await Promise.all(Object.entries(WRITTEN_FOR).map((one) => lookAt(place, one)))).flat()
