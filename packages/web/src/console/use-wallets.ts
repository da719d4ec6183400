import { useEffect, useState } from 'react'
import { discoverWallets, type InjectedWallet } from './payers.ts'

/** The wallets in the browser, as they announce themselves. */
export const useWallets = (): readonly InjectedWallet[] => {
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([])
  useEffect(() => discoverWallets((wallet) => setWallets((before) => [...before, wallet])), [])
  return wallets
}
