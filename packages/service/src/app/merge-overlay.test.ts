import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeOverlay } from './merge-overlay.ts'

const FILE = {
  name: 'quotes.example',
  chains: [
    { chainId: 'eip155:1', rpcUrls: ['https://a.example'], axelar: { name: 'Ethereum', its: '0x1' } },
    { chainId: 'eip155:10', rpcUrls: ['https://b.example'] },
  ],
  tokens: [
    { chainId: 'eip155:1', address: '0xAb', symbol: 'AB' },
    { chainId: 'eip155:10', address: '0xAb', symbol: 'AB' },
  ],
  axelar: { scanUrl: 'https://scan.example', lcdUrl: 'https://lcd.example' },
}

test('entries of one chain and of one address become one, lists are replaced, and null removes a member', () => {
  const { network } = mergeOverlay(FILE, {
    chains: [{ chainId: 'eip155:1', rpcUrls: ['https://mine.example'], axelar: { its: null } }],
    tokens: [
      { chainId: 'eip155:10', address: '0xaB', usdPrice: '1' },
      { chainId: 'eip155:10', address: '0xcd' },
    ],
    axelar: { lcdUrl: 'https://mine.example' },
  })
  assert.deepEqual(network, {
    name: 'quotes.example',
    chains: [
      { chainId: 'eip155:1', rpcUrls: ['https://mine.example'], axelar: { name: 'Ethereum' } },
      FILE.chains[1],
    ],
    tokens: [
      FILE.tokens[0],
      { chainId: 'eip155:10', address: '0xaB', symbol: 'AB', usdPrice: '1' },
      { chainId: 'eip155:10', address: '0xcd' },
    ],
    axelar: { scanUrl: 'https://scan.example', lcdUrl: 'https://mine.example' },
  })
})

test('an omitted chain takes its tokens with it, an omitted token goes alone', () => {
  const withoutChain = mergeOverlay(FILE, { chains: [{ chainId: 'eip155:1', omit: true }] })
  assert.deepEqual(withoutChain.network, { ...FILE, chains: [FILE.chains[1]], tokens: [FILE.tokens[1]] })
  const withoutToken = mergeOverlay(FILE, { tokens: [{ chainId: 'eip155:1', address: '0xab', omit: true }] })
  assert.deepEqual(withoutToken.network, { ...FILE, tokens: [FILE.tokens[1]] })
})

test('a place of the merged document is found in the document that wrote it', () => {
  const { locate } = mergeOverlay(FILE, {
    name: 'mine',
    chains: [
      { chainId: 'eip155:137', rpcUrls: [] },
      { chainId: 'eip155:10', finality: 'soon' },
    ],
  })
  for (const [path, isOverlay, place] of [
    [['chains', 1, 'finality'], true, ['chains', 1, 'finality']],
    [['chains', 1, 'rpcUrls', 0], false, ['chains', 1, 'rpcUrls', 0]],
    [['chains', 2, 'chainLabel'], true, ['chains', 0, 'chainLabel']],
    [['chains', 0, 'chainLabel'], false, ['chains', 0, 'chainLabel']],
    [['name'], true, ['name']],
    [['axelar', 'scanUrl'], false, ['axelar', 'scanUrl']],
  ] as const)
    assert.deepEqual(locate(path), { isOverlay, path: place })
})

test('an overlay of another shape is left for the schema to refuse', () => {
  assert.deepEqual(mergeOverlay(FILE, { chains: 'none' }).network, { ...FILE, chains: 'none' })
  assert.deepEqual(mergeOverlay(FILE, []).network, [])
  assert.deepEqual(mergeOverlay([], {}).network, [])
})
