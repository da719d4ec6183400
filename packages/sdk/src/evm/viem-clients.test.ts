import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicClient, createWalletClient, custom, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base, celo, mainnet, optimism, zksync } from 'viem/chains'
import type { EvmWallet } from './execute-evm-quote.ts'

const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const transport = http('http://127.0.0.1:1')
const injected = custom({ request: () => Promise.reject(new Error('the test sends no request')) })

test('clients of chains with extended blocks and receipts fit, and so do those of an injected wallet', () => {
  const wallets: readonly EvmWallet[] = [
    {
      walletClient: createWalletClient({ account, chain: base, transport }),
      publicClient: createPublicClient({ chain: base, transport }),
    },
    {
      walletClient: createWalletClient({ account, chain: optimism, transport }),
      publicClient: createPublicClient({ chain: optimism, transport }),
    },
    {
      walletClient: createWalletClient({ account, chain: celo, transport }),
      publicClient: createPublicClient({ chain: celo, transport }),
    },
    {
      walletClient: createWalletClient({ account, chain: zksync, transport }),
      publicClient: createPublicClient({ chain: zksync, transport }),
    },
    {
      walletClient: createWalletClient({ account: account.address, chain: mainnet, transport: injected }),
      publicClient: createPublicClient({ chain: mainnet, transport: injected }),
    },
  ]
  const both = createWalletClient({ account, chain: mainnet, transport }).extend(publicActions)
  const one: EvmWallet = { walletClient: both, publicClient: both }
  for (const { walletClient } of [...wallets, one])
    assert.equal(walletClient.account.address, account.address)
})
