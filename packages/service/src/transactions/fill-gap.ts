import type { EvmHead } from '../chains/evm/evm-chain.ts'
import type { OutboxEntry } from '../store/store.ts'
import type { TransactionMonitorDeps } from './transaction-monitor.ts'

const TRANSFER_GAS = 21_000n

/**
 * Fills the lowest nonce that the chain waits for and no open entry has, with an empty transfer to ourselves: the
 * entries behind the gap could never be mined. A gap appears when a node counted a transaction and then forgot it.
 */
export const createGapFiller = ({ store, chain, signer, now, log, timing }: TransactionMonitorDeps) => {
  let unfillable: number | undefined
  return async (lowest: OutboxEntry, head: EvmHead): Promise<void> => {
    if (now() - lowest.signedAt < timing.patienceMs) return
    const nonce = await chain.transactionCount(signer.sender, head.number)
    if (nonce >= lowest.nonce || nonce === unfillable) return
    const call = { to: signer.sender, data: '0x', value: 0n, gasLimit: TRANSFER_GAS }
    const isFilled = await store.addOutboxEntry({
      ...(await signer.sign(call, nonce, head)),
      key: `gap:${chain.chainId}:${signer.sender}:${nonce}`,
      chainId: chain.chainId,
      sender: signer.sender,
      nonce,
      replacedTxHashes: [],
      signedAt: now(),
      outcome: 'open',
    })
    unfillable = isFilled ? undefined : nonce
    const fields = { chainId: chain.chainId, sender: signer.sender, nonce }
    if (isFilled) log('warn', 'unused nonce filled', fields)
    else log('error', 'the chain expects a nonce that was already final: is it another chain?', fields)
  }
}
