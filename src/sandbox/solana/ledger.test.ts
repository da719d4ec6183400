import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSolanaRpc } from '@solana/kit'
import { startSolanaLedger } from './index.ts'

test('names itself by its genesis hash', async () => {
  const ledger = await startSolanaLedger({ log: () => undefined, now: Date.now, startPaused: true })
  try {
    const genesisHash = await createSolanaRpc(ledger.rpcUrl).getGenesisHash().send()
    assert.equal(ledger.chainId, `solana:${genesisHash.slice(0, 32)}`)
  } finally {
    await ledger.stop()
  }
})
