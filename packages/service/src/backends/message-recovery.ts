import type { ChainId } from '@openrfq/sdk'
import { uintAt } from '../chains/evm/abi-words.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import { addNativeGasData } from '../protocols/axelar/gas-service-contract.ts'
import {
  type DeliveredMessage,
  executeMessageData,
  isApprovedData,
} from '../protocols/axelar/gateway-approval.ts'
import type { RecoveryCall } from './backend.ts'

type EvmCallOf = Pick<RecoveryCall, 'kind' | 'label' | 'chainId' | 'leadsTo' | 'by'> & {
  readonly to: string
  readonly dataBy: (account: string) => string
  /** Base units of the native asset. */
  readonly value: bigint
  /** How many units of a transaction's value are one base unit; absent for one. */
  readonly valueScale?: bigint
  readonly gasLimit?: bigint
}

/** A recovery by one EVM transaction. */
export const evmRecovery = ({
  to,
  dataBy,
  value,
  valueScale = 1n,
  gasLimit,
  ...told
}: EvmCallOf): RecoveryCall => ({
  ...told,
  value,
  payloadBy: (account) => ({
    type: 'evm_transaction',
    from: account,
    to,
    data: dataBy(account),
    value: (value * valueScale).toString(),
    ...(gasLimit === undefined ? {} : { gasLimit: gasLimit.toString() }),
  }),
})

/** The message that lacks gas: its transaction, the position of its event in the receipt, and base units to pay. */
type ShortMessage = Pick<RecoveryCall, 'chainId' | 'leadsTo'> & {
  readonly valueScale?: bigint
  readonly gasService: string
  readonly txHash: string
  readonly logPosition: number
  readonly value: bigint
}

/** What a payment for a relay is called. */
export const PAY_LABEL = 'Pay for the relay by Axelar'

/** Pays for the relay of a message; Axelar returns what it does not use to the account that pays. */
export const gasRecovery = ({ gasService, txHash, logPosition, ...rest }: ShortMessage): RecoveryCall =>
  evmRecovery({
    ...rest,
    kind: 'add_gas',
    label: PAY_LABEL,
    to: gasService,
    dataBy: (account) => addNativeGasData(txHash, logPosition, account),
  })

/** A message on its destination, with the gateway that approves it. */
type Delivery = Pick<RecoveryCall, 'leadsTo'> & {
  readonly chainId: ChainId
  readonly gateway: string
  readonly message: DeliveredMessage
}

/**
 * Executes a message that the destination's gateway has approved and that is not executed yet, if its execution succeeds now: a contract may
 * be paused, or over its flow limit. Rejects if it cannot be read.
 */
export const executionRecovery = async (
  evmChains: ReadonlyMap<ChainId, EvmChain>,
  { chainId, gateway, message, leadsTo }: Delivery,
): Promise<readonly RecoveryCall[]> => {
  const chain = evmChains.get(chainId)
  if (chain === undefined) return []
  const [approved] = await chain.callMany([{ to: gateway, data: isApprovedData(message) }])
  if (approved === undefined || uintAt(approved, 0) !== 1n) return []
  const data = executeMessageData(message)
  const [executed] = await chain.callMany([{ to: message.contract, data, mayRevert: true }])
  if (executed === undefined) return []
  const told = { kind: 'execute', label: 'Execute the approved message', chainId, leadsTo } as const
  return [evmRecovery({ ...told, to: message.contract, dataBy: () => data, value: 0n })]
}
