import { addressAt, uintAt, wordAt } from '../../chains/evm/abi-words.ts'
import type { EvmCall, EvmResult } from '../../chains/evm/evm-chain.ts'
import { isSameAddress } from '../../core/comparable-address.ts'
import type { NetworkChain } from '../../core/network.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'
import { nameChains } from './attested-order.ts'
import type { SettlerKind } from './order-status.ts'

const PROOF_WINDOW = '0xa479265d'
/** What a settler was told of its chain, the proof window last. Sources: settlers/IntentSettler.sol, settlers/AttestedSettler.sol. */
const READS: Readonly<Record<SettlerKind, readonly string[]>> = {
  intent: ['0x116191b6', '0x1c93b03a', '0x6a22d8cc', PROOF_WINDOW],
  attested: ['0xc763e5a1', PROOF_WINDOW],
}

/** The reads of a settler's facts, in the order in which `settlerFaults` and `proofWindowOf` take their answers. */
export const settlerReads = (kind: SettlerKind, settler: string): readonly EvmCall[] =>
  READS[kind].map((data) => ({ to: settler, data, mayRevert: true }))

type Answers = readonly EvmResult[]

/** The least seconds between an order's fill deadline and its refund; undefined if the contract tells none. */
export const proofWindowOf = (answers: Answers): number | undefined => {
  const window = uintAt(answers.at(-1) ?? '0x', 0)
  return window === undefined ? undefined : Number(window)
}

const intentFaults = ({ axelar, intent }: NetworkChain, answers: Answers): readonly string[] => {
  const gateway = addressAt(answers[0] ?? '0x', 0)
  const gasService = addressAt(answers[2] ?? '0x', 0)
  if (axelar === undefined || gateway === undefined)
    return [`${intent?.settler} is no IntentSettler; correct the address`]
  return [
    isSameAddress(gateway, axelar.gateway) ? [] : `its gateway is ${gateway}, not ${axelar.gateway}`,
    isSameAddress(gasService ?? '', axelar.gasService)
      ? []
      : `its gas service is ${gasService}, not ${axelar.gasService}`,
    `0x${wordAt(answers[1] ?? '0x', 0)}` === foldedName(axelar.name)
      ? []
      : `it does not know its chain as ${axelar.name}: correct axelar.name or the address`,
  ].flat()
}

const attestedFaults = ({ chainId, attested }: NetworkChain, [name = '0x']: Answers): readonly string[] =>
  nameChains([chainId]).has(wordAt(name, 0) ?? '')
    ? []
    : [`${attested?.settler} is no AttestedSettler of this chain; correct the address`]

const FAULTS_OF = { intent: intentFaults, attested: attestedFaults } as const

/**
 * In what a settler does not confirm the network file; empty if it does. With another gateway or name no proof of a fill would
 * reach it, another gas service would keep what the relay is paid, and with a longer window it takes no order.
 */
export const settlerFaults = (
  kind: SettlerKind,
  chain: NetworkChain,
  refundDelaySeconds: number,
  answers: Answers,
): readonly string[] => {
  const faults = FAULTS_OF[kind](chain, answers)
  const window = proofWindowOf(answers)
  if (window === undefined)
    return faults.length > 0 ? faults : ['it tells no proof window; correct the address']
  return window > refundDelaySeconds
    ? [...faults, `its proof window is ${window} s: raise intent.refundDelaySeconds`]
    : faults
}
