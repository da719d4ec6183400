import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk'
import {
  aboutText,
  accountUrl,
  amountTexts,
  durationText,
  safeText,
  shortId,
  transactionUrl,
} from './text.ts'

test('amounts are exact to eight decimals, rounded down, and never shown as nothing', () => {
  for (const [units, decimals, shown] of [
    ['25000000', 6, '25'],
    ['1234567890000', 6, '1,234,567.89'],
    ['1', 18, '0.000000000000000001'],
    ['1999999999999999999', 18, '1.99999999'],
    ['0', 6, '0'],
    [(2n ** 256n - 1n).toString(), 0, /^115,792,/],
  ] as const)
    assert.match(
      amountTexts(units, decimals).shown,
      typeof shown === 'string' ? new RegExp(`^${shown}$`) : shown,
    )
  assert.equal(amountTexts('1999999999999999999', 18).exact, '1.999999999999999999')
})

test('names from lists cannot turn the text around them or flood the page', () => {
  assert.equal(safeText('US\u202eDC\u0000'), 'USDC')
  assert.equal(safeText('x'.repeat(50)).length, 17)
  assert.equal(safeText('\u200b'), '?')
})

test('ids keep their two ends, and durations are read as clocks', () => {
  assert.equal(shortId('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'), '0x709979…dc79C8')
  assert.equal(shortId('short'), 'short')
  assert.deepEqual([7, 65, 3_725, -3].map(durationText), ['0:07', '1:05', '1:02:05', '0:00'])
  assert.deepEqual([1, 20, 900, 7_200].map(aboutText), ['1 second', '20 seconds', '15 minutes', '2 hours'])
})

test('explorer links keep the path and query of the base, and lead to web pages only', () => {
  assert.equal(transactionUrl('https://etherscan.io', '0xab'), 'https://etherscan.io/tx/0xab')
  assert.equal(
    transactionUrl('https://explorer.solana.com/?cluster=devnet', '5x'),
    'https://explorer.solana.com/tx/5x?cluster=devnet',
  )
  assert.equal(
    transactionUrl('https://stellar.expert/explorer/public', 'a/b'),
    'https://stellar.expert/explorer/public/tx/a%2Fb',
  )
  assert.equal(transactionUrl('javascript:alert(1)', '0xab'), undefined)
  assert.equal(transactionUrl(undefined, '0xab'), undefined)
})

test('explorer links of accounts use the path of their family', () => {
  assert.equal(accountUrl('https://etherscan.io', 'evm', '0xab'), 'https://etherscan.io/address/0xab')
  assert.equal(
    accountUrl('https://explorer.solana.com/?cluster=devnet', 'solana', '9W'),
    'https://explorer.solana.com/address/9W?cluster=devnet',
  )
  assert.equal(
    accountUrl('https://stellar.expert/explorer/public', 'stellar', 'G/../a'),
    'https://stellar.expert/explorer/public/account/G%2F..%2Fa',
  )
  const account = Keypair.random().publicKey()
  const muxed = new MuxedAccount(new Account(account, '0'), '7').accountId()
  for (const address of [account, muxed])
    assert.equal(
      accountUrl('https://stellar.expert/explorer/public', 'stellar', address),
      `https://stellar.expert/explorer/public/account/${account}`,
    )
  assert.equal(accountUrl('https://etherscan.io', 'a new family', '0xab'), undefined)
  assert.equal(accountUrl('javascript:alert(1)', 'evm', '0xab'), undefined)
  assert.equal(accountUrl(undefined, 'evm', '0xab'), undefined)
})
