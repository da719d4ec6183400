import { catalogProblems, createCatalog } from '../../chains/catalog.ts'
import { connectPaymentChains } from '../../chains/connect-payment-chains.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { createEvmChain } from '../../chains/evm/index.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { EvmPrivateKey } from '../../core/evm-private-key.ts'
import type { Network, NetworkChain } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { addressOfKey } from '../../transactions/signer.ts'
import { type Config, readConfig } from '../config.ts'
import { type NetworkPaths, networkPathsOf, parseNetwork } from '../network-file.ts'
import { checkContracts } from './check-contracts.ts'
import { checkDatabase } from './check-database.ts'
import { checkEndpoints } from './check-endpoints.ts'
import { checkFile } from './check-file.ts'
import { checkReceiver } from './check-receiver.ts'
import { checkTokens } from './check-tokens.ts'
import { checkVault } from './check-vault.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/** The keys that pay gas. */
type Keys = Pick<Config, 'keeperPrivateKey' | 'openerPrivateKey'>

/** What to check with: without a network the file and the environment alone. */
export type CheckOptions = { readonly isOffline: boolean; readonly clock: Clock }

const READ_MS = 10_000
const silent: Log = () => undefined

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

/** The balances on a chain of the accounts that pay gas there. */
const checkKeys = async (
  { keeperPrivateKey, openerPrivateKey }: Keys,
  { chainId, intent, nativeToken: { symbol } }: NetworkChain,
  evm: ReturnType<typeof createEvmChain>,
): Promise<readonly Finding[]> => {
  const balanceOf = async (key: EvmPrivateKey) => {
    const account = addressOfKey(key)
    return { account, amount: (await evm.balances(account, [EVM_NATIVE_TOKEN])).amounts[0] ?? 0n }
  }
  const found: Finding[] = []
  if (keeperPrivateKey !== undefined) {
    const { account, amount } = await balanceOf(keeperPrivateKey)
    const subject = `chain ${chainId} keeper`
    found.push(
      amount === 0n
        ? wrong(subject, `${account} holds no ${symbol}: send it gas, or refunds wait`)
        : fine(subject, `holds ${amount} base units of ${symbol}`),
    )
  }
  const opening = intent?.opening
  if (openerPrivateKey !== undefined && opening !== undefined) {
    const { account, amount } = await balanceOf(openerPrivateKey)
    const subject = `chain ${chainId} opener`
    const holds = `${account} holds ${amount} base units of ${symbol}`
    if (amount < BigInt(opening.costCap))
      found.push(wrong(subject, `${holds}, less than one opening may cost: send it gas, or it opens none`))
    else if (amount < BigInt(opening.dailyCostCap))
      found.push(doubtful(subject, `${holds}, less than the ${opening.dailyCostCap} of a day: send it gas`))
    else found.push(fine(subject, holds))
  }
  return found
}

/** Axelar's token service on a chain of another family, and the keys of the vault on one that has it. */
const checkPaymentChain = async (
  network: Network,
  chain: NetworkChain,
  { now: wallTime, steady: now }: Clock,
): Promise<readonly Finding[]> => {
  const connected = connectPaymentChains(
    { chains: [chain], tokens: network.tokens },
    { now, wallTime, log: silent },
  )
  const paymentChain = connected.get(chain.chainId)
  if (paymentChain === undefined) return []
  const { sharedAccounts } = paymentChain
  try {
    return [
      ...(await checkReceiver(paymentChain, chain, network)),
      ...(sharedAccounts === undefined ? [] : await checkVault(chain, sharedAccounts)),
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [wrong(`chain ${chain.chainId}`, `its accounts cannot be read (${reason}): try again`)]
  } finally {
    await paymentChain.stop()
  }
}

const checkChain = async (
  config: Keys,
  network: Network,
  chain: NetworkChain,
  clock: Clock,
): Promise<readonly Finding[]> => {
  const endpoints = await checkEndpoints(chain, clock.now)
  if (!endpoints.some(({ level }) => level === 'ok')) return endpoints
  if (chain.chainType !== 'evm') return [...endpoints, ...(await checkPaymentChain(network, chain, clock))]
  const evm = createEvmChain({
    ...chain,
    now: clock.steady,
    wallTime: clock.now,
    log: silent,
    timing: { readMs: READ_MS },
  })
  try {
    return [
      ...endpoints,
      ...(await checkContracts({ evm, chain, network })),
      ...(await checkTokens(evm, chain, network.tokens)),
      ...(await checkKeys(config, chain, evm)),
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      ...endpoints,
      wrong(`chain ${chain.chainId}`, `its contracts cannot be read (${reason}): try again`),
    ]
  } finally {
    await evm.stop()
  }
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
    ...canonical.chains.map((chain) => checkChain(config, canonical, chain, clock)),
  ])
  return [...offline, ...keeper, ...online.flat()]
}
