import { createMutex } from 'openrfq/lib/mutex'
import { draw } from '../draw.ts'
import type { AnswerCall, RpcAnswer } from '../rpc-message.ts'

type Deps = {
  readonly node: AnswerCall
  /** The ERC-20 that wraps the native asset, which writes a log for each deposit. */
  readonly wrappedNative: string
  readonly seed: number
}

/** One of so many transactions gets company. */
const ONE_OF = 6
/** An account that only this file uses; the node signs for it. */
const BYSTANDER = '0x0000000000000000000000000000000000b75747'
const WEALTH = '0x21e19e0c9bab2400000'
const DEPOSIT = '0xd0e30db0'
/** Above what others bid, so that it comes first in the block. */
const TIP = '0x174876e800'
const MOST = '0xe8d4a51000'

/**
 * Sends signed transactions; now and then with an unrelated one that writes a log before them in the same block, as
 * other people's transactions do on real chains.
 */
export const createCompanion = ({ node, wrappedNative, seed }: Deps): AnswerCall => {
  const inTurn = createMutex()
  let sent = 0
  const call = (method: string, ...params: readonly unknown[]): Promise<RpcAnswer> => node({ method, params })
  const bystand = async (): Promise<void> => {
    await call('anvil_setBalance', BYSTANDER, WEALTH)
    await call('anvil_impersonateAccount', BYSTANDER)
    const bid = { maxPriorityFeePerGas: TIP, maxFeePerGas: MOST, gas: '0x186a0' }
    await call('eth_sendTransaction', {
      from: BYSTANDER,
      to: wrappedNative,
      data: DEPOSIT,
      value: '0x1',
      ...bid,
    })
  }
  return (transaction) =>
    inTurn(async () => {
      sent += 1
      if (draw(seed, sent) * ONE_OF >= 1) return node(transaction)
      const mining = await call('anvil_getAutomine')
      if (!('result' in mining) || mining.result !== true) return node(transaction)
      await call('evm_setAutomine', false)
      try {
        await bystand()
        return await node(transaction)
      } finally {
        // A busy node may answer the first too late, and without the second the chain would stop.
        await call('evm_mine').finally(() => call('evm_setAutomine', true))
      }
    })
}
