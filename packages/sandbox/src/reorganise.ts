import { postRpc } from './rpc-call.ts'

/** Sets a chain's clock to the given time in milliseconds since the Unix epoch; it runs on from there. */
export const setClock = async (rpcUrl: string, now: () => number): Promise<void> => {
  await postRpc(rpcUrl, 'evm_setTime', [Math.floor(now() / 1000)])
}

/**
 * Replaces the last `depth` blocks of a chain with empty ones and drops their transactions. Then sets the chain's
 * clock, which anvil 1.7.1 leaves behind by the replaced time. The caller mines nothing meanwhile: a block that anvil mines during
 * a reorg stays without its state, or its state stays without the block, and reorgs fail with "Resource not found".
 */
export const reorganise = async (rpcUrl: string, depth: number, now: () => number): Promise<void> => {
  const wasMining = await postRpc(rpcUrl, 'anvil_getAutomine', [])
  await postRpc(rpcUrl, 'evm_setAutomine', [false])
  try {
    // Is mined after a block that is on its way, and dropped with the others.
    await postRpc(rpcUrl, 'evm_mine', [])
    await postRpc(rpcUrl, 'anvil_reorg', [depth + 1, []])
  } finally {
    await postRpc(rpcUrl, 'evm_setAutomine', [wasMining])
  }
  await setClock(rpcUrl, now)
}
