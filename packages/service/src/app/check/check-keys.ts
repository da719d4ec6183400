import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { createEvmChain } from '../../chains/evm/index.ts'
import { SAMPLE_DATA, weiBesideGas } from '../../chains/evm/l1-fee.ts'
import type { EvmPrivateKey } from '../../core/evm-private-key.ts'
import type { NetworkChain } from '../../core/network.ts'
import { REFUND_GAS } from '../../intents/settlers/refund-trial.ts'
import { addressOfKey } from '../../transactions/signer.ts'
import type { Config } from '../config.ts'
import { doubtful, type Finding, fine, wrong } from './finding.ts'

/** The keys that pay gas. */
export type Keys = Pick<Config, 'keeperPrivateKey' | 'keeperSecrets' | 'openerPrivateKey'>

type Evm = ReturnType<typeof createEvmChain>

/** A keeper with gas for fewer refunds than these is low. */
const REFUNDS = 10n

/** The most that so many refunds cost at the chain's fees of now, in wei; undefined while it has no head. */
const refundsCost = (evm: Evm, { express }: NetworkChain): bigint | undefined => {
  const head = evm.head()
  if (head === undefined) return undefined
  const refund = REFUND_GAS * head.maxFeePerGas + weiBesideGas(head.l1Cost, SAMPLE_DATA, REFUND_GAS)
  const giveBack = BigInt(express?.returnGasCap ?? 0)
  return REFUNDS * (refund > giveBack ? refund : giveBack)
}

type Held = { readonly account: string; readonly amount: bigint }

const keeperFinding = async ({ account, amount }: Held, chain: NetworkChain, evm: Evm): Promise<Finding> => {
  const { symbol } = chain.nativeToken
  const subject = `chain ${chain.chainId} keeper`
  if (amount === 0n) return wrong(subject, `${account} holds no ${symbol}: send it gas, or refunds wait`)
  await evm.start()
  const needed = refundsCost(evm, chain)
  return needed !== undefined && amount < needed
    ? doubtful(
        subject,
        `${account} holds ${amount} base units of ${symbol}, less than the ${needed} that ${REFUNDS} refunds may cost: send it gas`,
      )
    : fine(subject, `holds ${amount} base units of ${symbol}`)
}

const openerFinding = (
  { account, amount }: Held,
  { chainId, nativeToken: { symbol } }: NetworkChain,
  { costCap, dailyCostCap }: { readonly costCap: string; readonly dailyCostCap: string },
): Finding => {
  const subject = `chain ${chainId} opener`
  const holds = `${account} holds ${amount} base units of ${symbol}`
  if (amount < BigInt(costCap))
    return wrong(subject, `${holds}, less than one opening may cost: send it gas, or it opens none`)
  return amount < BigInt(dailyCostCap)
    ? doubtful(subject, `${holds}, less than the ${dailyCostCap} of a day: send it gas`)
    : fine(subject, holds)
}

/** The balances on a chain of the accounts that pay gas there. Rejects if the chain cannot be read. */
export const checkKeys = async (
  { keeperPrivateKey, openerPrivateKey }: Pick<Keys, 'keeperPrivateKey' | 'openerPrivateKey'>,
  chain: NetworkChain,
  evm: Evm,
): Promise<readonly Finding[]> => {
  const heldBy = async (key: EvmPrivateKey): Promise<Held> => {
    const account = addressOfKey(key)
    return { account, amount: (await evm.balances(account, [EVM_NATIVE_TOKEN])).amounts[0] ?? 0n }
  }
  const found: Finding[] = []
  if (keeperPrivateKey !== undefined)
    found.push(await keeperFinding(await heldBy(keeperPrivateKey), chain, evm))
  const opening = chain.intent?.opening
  if (openerPrivateKey !== undefined && opening !== undefined)
    found.push(openerFinding(await heldBy(openerPrivateKey), chain, opening))
  return found
}
