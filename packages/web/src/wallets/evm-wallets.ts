import type { Eip1193Provider } from '@openrfq/sdk/evm'
import type { BrowserWallet, Signer } from './payer.ts'

/** Calls back with each EVM wallet that announces itself; returns the function that stops listening. Source: EIP-6963. */
export const discoverEvmWallets = (found: (wallet: BrowserWallet) => void): (() => void) => {
  const listen = (event: Event): void => {
    const { info, provider } = Object(Reflect.get(event, 'detail'))
    const { uuid: id, name } = Object(info)
    if (typeof id !== 'string' || typeof name !== 'string' || typeof provider?.request !== 'function') return
    found({ id: `evm ${id}`, family: 'evm', name, connect: () => connect(name, provider) })
  }
  addEventListener('eip6963:announceProvider', listen)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', listen)
}

const connect = async (name: string, provider: Eip1193Provider): Promise<Signer> => {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof address !== 'string') throw new Error(`${name} has no account`)
  return {
    kind: 'signer',
    family: 'evm',
    name,
    address,
    open: async () => (await import('@openrfq/sdk/evm')).injectedPayer(provider, address),
  }
}
