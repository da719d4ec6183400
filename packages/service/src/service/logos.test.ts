import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogoImage } from '../core/logo-image.ts'
import { type HttpClient, HttpFault } from '../lib/http-client.ts'
import { createLogos } from './logos.ts'

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')
const HOUR_MS = 3_600_000

type Read = HttpClient['read']

/** Logos of one chain with a token, read by `read`; `asked` are the addresses that were read. */
const createWorld = (read: (path: string) => ReturnType<Read>) => {
  const asked: string[] = []
  const reasons: unknown[] = []
  const clock = { now: 0 }
  const chainId = 'eip155:1'
  const nativeToken = { symbol: 'ETH', decimals: 18 }
  const chain = { chainId, chainLabel: 'One', chainType: 'evm', nativeToken } as const
  const token = { chainId, symbol: 'A', name: 'A', decimals: 6, verified: true, backends: [] }
  const getLogo = createLogos({
    listing: {
      chains: [{ ...chain, logoUrl: 'https://logos.example/one.svg' }],
      tokens: [
        { ...token, address: '0xA', logoUrl: 'https://logos.example/a.svg' },
        { ...token, address: '0xB' },
        { ...token, address: '0xC', logoUrl: 'http://127.0.0.1/c.svg' },
      ],
    },
    http: {
      read: ({ url }) => {
        asked.push(url.href)
        return read(url.pathname)
      },
    },
    steady: () => clock.now,
    log: (_level, _event, fields) => reasons.push(fields?.['reason']),
  })
  return { getLogo, asked, reasons, clock }
}

const answer = async (bytes: Buffer, status = 200) => ({ status, bytes })

test('reads the logo of a chain and of a token once in six hours, however often it is asked for', async () => {
  const { getLogo, asked, clock } = createWorld(() => answer(SVG))
  const expected: LogoImage = { type: 'image/svg+xml', bytes: SVG }
  for (let round = 0; round < 20; round += 1) {
    assert.deepEqual(await getLogo('eip155:1'), expected)
    assert.deepEqual(await getLogo('eip155:1', '0xA'), expected)
  }
  await Promise.all(Array.from({ length: 20 }, () => getLogo('eip155:1', '0xA')))
  assert.deepEqual(asked, ['https://logos.example/one.svg', 'https://logos.example/a.svg'])
  clock.now = 6 * HOUR_MS
  await getLogo('eip155:1')
  assert.equal(asked.length, 3)
})

test('reads nothing for what the network file does not name, or not by https', async () => {
  const { getLogo, asked } = createWorld(() => answer(SVG))
  for (const [chainId, token] of [
    ['eip155:2', undefined],
    ['eip155:2', '0xA'],
    ['eip155:1', '0xB'],
    ['eip155:1', '0xC'],
    ['eip155:1', 'https://evil.example/a.svg'],
    ['eip155:1', '../eip155:1/0xA'],
  ] as const)
    assert.equal(await getLogo(chainId, token), undefined)
  assert.deepEqual(asked, [])
})

test('a logo that cannot be had or shown is not asked for again for six hours, and says why', async () => {
  for (const [reason, read] of [
    ['HTTP 404', () => answer(SVG, 404)],
    ['HTTP 302', () => answer(SVG, 302)],
    ['unsafe', () => answer(Buffer.from('<svg><script/></svg>'))],
    ['slow', () => Promise.reject(new HttpFault('TIMED_OUT', 'slow'))],
  ] as const) {
    const { getLogo, asked, reasons, clock } = createWorld(read)
    for (let round = 0; round < 20; round += 1) assert.equal(await getLogo('eip155:1'), undefined)
    assert.equal(asked.length, 1)
    assert.deepEqual(reasons, [reason])
    clock.now = 6 * HOUR_MS
    assert.equal(await getLogo('eip155:1'), undefined)
    assert.equal(asked.length, 2)
  }
})
