import type { EIP1193Provider } from 'viem'
import type { Sandbox } from './sandbox.ts'

/** Who pays: an account of the sandbox, a browser's wallet, or an address that pays from elsewhere. */
export type Payer =
  | {
      readonly kind: 'sandbox'
      readonly family: string
      readonly name: string
      readonly address: string
      readonly privateKey: string
    }
  | {
      readonly kind: 'injected'
      readonly family: 'evm'
      readonly name: string
      readonly address: string
      readonly provider: EIP1193Provider
    }
  | { readonly kind: 'address'; readonly family: string; readonly name: string; readonly address: string }

/** A wallet in the browser, not connected yet. Source: EIP-6963. */
export type InjectedWallet = {
  readonly id: string
  readonly name: string
  readonly provider: EIP1193Provider
}

/** The sandbox's accounts of a family. */
export const sandboxPayers = (sandbox: Sandbox | undefined, family: string | undefined): readonly Payer[] =>
  (sandbox?.accounts ?? [])
    .filter(({ chainType }) => chainType === family)
    .map(({ chainType, address, privateKey }, index) => ({
      kind: 'sandbox',
      family: chainType,
      name: `Sandbox account ${index}`,
      address,
      privateKey,
    }))

const MAX_WALLETS = 20

/** Calls back with each wallet that announces itself; returns the function that stops listening. Source: EIP-6963. */
export const discoverWallets = (found: (wallet: InjectedWallet) => void): (() => void) => {
  const known = new Set<string>()
  const listen = (event: Event): void => {
    const { info, provider } = Object(Reflect.get(event, 'detail'))
    const { uuid: id, name } = Object(info)
    if (typeof id !== 'string' || typeof name !== 'string' || typeof provider?.request !== 'function') return
    if (known.has(id) || known.size >= MAX_WALLETS) return
    known.add(id)
    found({ id, name, provider })
  }
  addEventListener('eip6963:announceProvider', listen)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', listen)
}

/** Asks a wallet for its account. Rejects when the person declines. */
export const connectInjected = async ({ name, provider }: InjectedWallet): Promise<Payer> => {
  const [address] = await provider.request({ method: 'eth_requestAccounts' })
  if (address === undefined) throw new Error(`${name} has no account`)
  return { kind: 'injected', family: 'evm', name, address, provider }
}
