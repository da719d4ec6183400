import { useEffect, useState } from 'react'
import { discoverEvmWallets } from './evm-wallets.ts'
import type { BrowserWallet } from './payer.ts'

const MAX_WALLETS = 20

/** The wallets in the browser, as they announce themselves. */
export const useWallets = (): readonly BrowserWallet[] => {
  const [wallets, setWallets] = useState<readonly BrowserWallet[]>([])
  useEffect(() => {
    const add = (wallet: BrowserWallet): void =>
      setWallets((before) =>
        before.length >= MAX_WALLETS || before.some(({ id }) => id === wallet.id)
          ? before
          : [...before, wallet],
      )
    return discoverEvmWallets(add)
  }, [])
  return wallets
}
