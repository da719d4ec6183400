import { postRpc } from './rpc-call.ts'

/**
 * Raises an account's nonce on every chain above all earlier ones. The sandbox starts with fresh chains, but a service
 * that kept its database must never reuse a nonce. `now` is in milliseconds.
 */
export const renewNonces = async (
  chains: readonly { readonly rpcUrl: string }[],
  address: string,
  now: () => number,
): Promise<void> => {
  const nonce = `0x${now().toString(16)}`
  await Promise.all(chains.map(({ rpcUrl }) => postRpc(rpcUrl, 'anvil_setNonce', [address, nonce])))
}
