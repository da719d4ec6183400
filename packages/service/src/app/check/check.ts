import { catalogProblems, createCatalog } from '../../chains/catalog.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { Network } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import { readConfig } from '../config.ts'
import { type NetworkPaths, networkPathsOf, parseNetwork } from '../network-file.ts'
import { checkChain } from './check-chain.ts'
import { checkDatabase } from './check-database.ts'
import { checkFile } from './check-file.ts'
import { checkHub } from './check-hub.ts'
import { checkPrices } from './check-prices.ts'
import { doubtful, type Finding, wrong } from './finding.ts'

/** What to check with: without a network the file and the environment alone. */
export type CheckOptions = { readonly isOffline: boolean; readonly clock: Clock }

/** Every mistake in the network file and its overlay, or the network. */
const checkText = (
  paths: NetworkPaths,
): { readonly network: Network | undefined; readonly findings: readonly Finding[] } => {
  const { data: network, problems, fileOf } = parseNetwork(paths)
  if (network === undefined)
    return {
      network,
      findings: problems.map(({ file, place, problem }) => wrong(file, `${place}: ${problem}`)),
    }
  const found = catalogProblems(network).map(({ path, message }) => {
    const { file, place } = fileOf(path)
    return wrong(file, `${place}: ${message}`)
  })
  return { network: found.length > 0 ? undefined : network, findings: found }
}

/** What an operator of the configured network should know before the start. Throws ConfigError without a readable file. */
export const check = async (
  environment: Readonly<Record<string, string | undefined>>,
  { isOffline, clock }: CheckOptions,
): Promise<readonly Finding[]> => {
  const paths = networkPathsOf(environment)
  if (paths === undefined) throw new ConfigError('RFQ_CONFIG is not set: expected the network file to check')
  const { network, findings } = checkText(paths)
  if (network === undefined) return findings
  const config = readConfig(environment)
  const { tokens } = createCatalog(network)
  const canonical = { ...network, tokens: [...tokens] }
  const offline = checkFile(`RFQ_CONFIG ${paths.RFQ_CONFIG}`, canonical)
  const keeper =
    config.keeperPrivateKey === undefined
      ? [doubtful('KEEPER_PRIVATE_KEY', 'not set: refunds wait until somebody else submits them')]
      : []
  if (isOffline) return [...offline, ...keeper]
  const online = await Promise.all([
    checkDatabase(config),
    checkPrices(canonical, clock),
    checkHub(canonical, clock),
    ...canonical.chains.map((chain) =>
      checkChain(chain, { network: canonical, tokens: canonical.tokens, keys: config, clock }),
    ),
  ])
  return [...offline, ...keeper, ...online.flat()]
}
