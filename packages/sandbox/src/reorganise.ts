import { postRpc } from './rpc-call.ts'

/** Sets a chain's clock to the given time in milliseconds since the Unix epoch; it runs on from there. */
export const setClock = async (rpcUrl: string, now: () => number): Promise<void> => {
  await postRpc(rpcUrl, 'evm_setTime', [Math.floor(now() / 1000)])
}

/**
 * Replaces the last `depth` blocks of a chain with empty ones and drops their transactions. Then sets the chain's
 * clock, which anvil 1.7.1 leaves behind by the replaced time.
 */
export const reorganise = async (rpcUrl: string, depth: number, now: () => number): Promise<void> => {
  await postRpc(rpcUrl, 'anvil_reorg', [depth, []])
  await setClock(rpcUrl, now)
}
