import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/eventually.ts'
import { startLocalServer } from '../../../test/local-server.ts'
import { Network } from '../../core/network.ts'
import { systemClock } from '../../lib/clock.ts'
import { createStartCheck } from './check-at-start.ts'

const SLOW_MS = 200
const chain = (chainId: string, rpcUrl: string) => ({
  ...{ chainId, chainLabel: chainId, chainType: 'evm', finality: 2 },
  ...{ nativeToken: { symbol: 'ETH', decimals: 18 }, rpcUrls: [rpcUrl], trustSingleEndpoint: true },
})
const KEYS = { keeperPrivateKey: undefined, keeperSecrets: new Map(), openerPrivateKey: undefined }

/** Compares two chains while `work` runs. The endpoint of one chain answers only after `letGo`; `told` lists the events with their chains. */
const compare = async (
  work: (told: readonly string[], letGo: () => void, stop: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const slow = await startLocalServer(async (_, response) => {
    await released
    response.statusCode = 500
    response.end()
  })
  const quick = await startLocalServer((_, response) => {
    response.statusCode = 500
    response.end()
  })
  const told: string[] = []
  const network = Network.parse({
    chains: [chain('eip155:1', slow.url), chain('eip155:10', quick.url)],
    tokens: [],
  })
  const { start, stop } = createStartCheck({
    ...{ network, keys: KEYS, clock: systemClock, slowMs: SLOW_MS },
    log: (_, event, fields = {}) => told.push(`${event} ${String(fields['chainId'] ?? fields['subject'])}`),
  })
  try {
    await start()
    await work(told, letGo, stop)
  } finally {
    letGo()
    await stop()
    slow.stop()
    quick.stop()
  }
}

test('a chain whose comparison is slow is told once, and again when it ends, with what was found', () =>
  compare(async (told, letGo) => {
    await until(() => told.includes('check_slow eip155:1'))
    letGo()
    await until(() => told.includes('check_slow_ended eip155:1'))
    await until(() => told.some((line) => /^check_found .*eip155:10/.test(line)))
    const ofSlow = told.filter((line) => /eip155:1(?!\d)/.test(line))
    assert.equal(ofSlow[0], 'check_slow eip155:1')
    assert.equal(ofSlow.at(-1), 'check_slow_ended eip155:1')
    assert.equal(ofSlow.filter((line) => line.startsWith('check_slow')).length, 2)
    assert.ok(ofSlow.some((line) => line.startsWith('check_found')))
  }))

test('a service that has stopped tells nothing more of a slow chain', () =>
  compare(async (told, letGo, stop) => {
    await until(() => told.includes('check_slow eip155:1'))
    await stop()
    const before = [...told]
    letGo()
    await sleep(1_000)
    assert.deepEqual(told, before)
  }))
