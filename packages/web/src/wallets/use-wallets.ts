import { useEffect, useState } from 'react'
import { discoverEvmWallets } from './evm-wallets.ts'
import { discoverFreighter } from './freighter.ts'
import type { BrowserWallet } from './payer.ts'
import { discoverSolanaWallets } from './solana-wallets.ts'

const MAX_WALLETS = 20

/** The wallets in the browser, as they announce themselves. Those on Solana and Stellar need a node of the page. */
export const useWallets = (): readonly BrowserWallet[] => {
  const [wallets, setWallets] = useState<readonly BrowserWallet[]>([])
  useEffect(() => {
    const add = (wallet: BrowserWallet): void =>
      setWallets((before) =>
        before.length >= MAX_WALLETS || before.some(({ id }) => id === wallet.id)
          ? before
          : [...before, wallet],
      )
    const ends = [discoverEvmWallets, discoverSolanaWallets, discoverFreighter].map((discover) =>
      discover(add),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return wallets
}
