import { postRpc } from './rpc-call.ts'

/**
 * Lifts an account's nonce on every chain above all it had before: the chains begin anew with each start of the sandbox,
 * but a service that kept its database never signs under a nonce again. `now` is in milliseconds.
 */
export const renewNonces = async (
  chains: readonly { readonly rpcUrl: string }[],
  address: string,
  now: () => number,
): Promise<void> => {
  const nonce = `0x${now().toString(16)}`
  await Promise.all(chains.map(({ rpcUrl }) => postRpc(rpcUrl, 'anvil_setNonce', [address, nonce])))
}
