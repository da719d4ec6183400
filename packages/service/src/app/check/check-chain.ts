import { connectPaymentChains } from '../../chains/connect-payment-chains.ts'
import { stellarRulesOf } from '../../chains/stellar/address.ts'
import type { Network, NetworkChain, NetworkToken } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { openEvmChain } from '../open-evm-chain.ts'
import { checkContracts } from './check-contracts.ts'
import { checkBrowserNode, checkEndpoints } from './check-endpoints.ts'
import { checkGas } from './check-gas.ts'
import { checkKeys, type Keys } from './check-keys.ts'
import { checkProgramKeeper } from './check-program-keeper.ts'
import { checkReceiver } from './check-receiver.ts'
import { checkTokens } from './check-tokens.ts'
import { checkVault } from './check-vault.ts'
import { type Finding, wrong } from './finding.ts'

const silent: Log = () => undefined

/** What a chain is compared with. */
type Compared = {
  readonly network: Network
  /** Those of EVM chains whose contracts are read, which takes many calls. */
  readonly tokens: readonly NetworkToken[]
  readonly keys: Keys
  readonly clock: Clock
}

/** Axelar's token service on a chain of another family, the keeper there, and the keys of the vault on one that has it. */
const checkPaymentChain = async (
  chain: NetworkChain,
  { network, keys, clock: { now: wallTime, steady: now } }: Compared,
): Promise<readonly Finding[]> => {
  const connected = connectPaymentChains(
    { chains: [chain], tokens: network.tokens },
    { now, wallTime, log: silent },
  )
  const paymentChain = connected.get(chain.chainId)
  if (paymentChain === undefined) return []
  const { sharedAccounts } = paymentChain
  const native = stellarRulesOf([chain]).nativeToken(chain.chainId)
  const lumensOf = async (account: string): Promise<bigint | undefined> =>
    native === undefined ? undefined : (await paymentChain.balances(account, [native])).amounts[0]
  try {
    return [
      ...(await checkReceiver(paymentChain, chain, network)),
      ...(await checkProgramKeeper(keys, chain, paymentChain)),
      ...(sharedAccounts === undefined ? [] : await checkVault(chain, { ...sharedAccounts, lumensOf })),
    ]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [wrong(`chain ${chain.chainId}`, `its accounts cannot be read (${reason}): try again`)]
  } finally {
    await paymentChain.stop()
  }
}

/** Compares a chain with the network file: its endpoints, contracts and tokens, and the keys and vault there. */
export const checkChain = async (chain: NetworkChain, compared: Compared): Promise<readonly Finding[]> => {
  const { network, tokens, keys, clock } = compared
  const asked = await Promise.all([checkEndpoints(chain, clock.now), checkBrowserNode(chain, clock.now)])
  const endpoints = asked.flat()
  if (!asked[0].some(({ level }) => level === 'ok')) return endpoints
  if (chain.chainType !== 'evm') return [...endpoints, ...(await checkPaymentChain(chain, compared))]
  const evm = openEvmChain(chain, clock)
  try {
    return [
      ...endpoints,
      ...(await checkGas(chain, clock.now)),
      ...(await checkContracts({ evm, chain, network })),
      ...(await checkTokens(evm, chain, tokens)),
      ...(await checkKeys(keys, chain, evm)),
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
