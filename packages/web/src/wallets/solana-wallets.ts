import type { StandardAccount, StandardWallet } from '@openrfq/sdk/solana'
import { type BrowserWallet, nodeOf, type Signer } from './payer.ts'

const CONNECT = 'standard:connect'
const SIGN = 'solana:signTransaction'

/** Calls back with each Solana wallet that registers itself; returns the function that stops listening. Source: Wallet Standard. */
export const discoverSolanaWallets = (found: (wallet: BrowserWallet) => void): (() => void) => {
  const register = (...wallets: readonly unknown[]): (() => void) => {
    for (const wallet of wallets) {
      const known = walletOf(wallet)
      if (known !== undefined) found(known)
    }
    return () => undefined
  }
  const api = Object.freeze({ register })
  const listen = (event: Event): void => {
    const callback: unknown = Reflect.get(event, 'detail')
    if (typeof callback === 'function') callback(api)
  }
  addEventListener('wallet-standard:register-wallet', listen)
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => removeEventListener('wallet-standard:register-wallet', listen)
}

const isOnSolana = (chains: unknown): boolean =>
  Array.isArray(chains) && chains.some((chain) => typeof chain === 'string' && chain.startsWith('solana:'))

const walletOf = (wallet: unknown): BrowserWallet | undefined => {
  const { name, chains, features } = Object(wallet)
  if (typeof name !== 'string' || !isOnSolana(chains)) return undefined
  if (typeof Object(Object(features)[CONNECT]).connect !== 'function' || !(SIGN in Object(features)))
    return undefined
  return {
    id: `solana ${name}`,
    family: 'solana',
    name,
    // CAST: the parts that are used were checked above.
    connect: () => connect(wallet as StandardWallet),
  }
}

const connect = async (wallet: StandardWallet): Promise<Signer> => {
  const { accounts } = Object(await Object(wallet.features[CONNECT]).connect())
  const account: StandardAccount | undefined = Array.isArray(accounts)
    ? accounts.find((one) => typeof Object(one).address === 'string' && isOnSolana(Object(one).chains))
    : undefined
  if (account === undefined) throw new Error(`${wallet.name} has no account on Solana`)
  return {
    kind: 'signer',
    family: 'solana',
    name: wallet.name,
    address: account.address,
    open: async (chainId, findNode) => {
      const { connectSolanaWallet, solanaPayer } = await import('@openrfq/sdk/solana')
      return solanaPayer(connectSolanaWallet(wallet, account, { chainId, ...nodeOf(findNode, chainId) }))
    },
  }
}
