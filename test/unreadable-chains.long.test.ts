import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, type WireQuote } from 'openrfq/test/wallet.ts'
import { absentParts } from './absent-parts.ts'
import { bodyBetween, type FamilyEnds, familyEnds } from './address-table.ts'
import { CHAINS, fullService, requestBody, type SandboxService, tokenOn } from './sandbox-service.ts'

let world: SandboxService
let ends: FamilyEnds
before(async () => {
  world = await fullService.start()
  ends = await familyEnds(world.service.url)
})
after(fullService.stop)

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const BACKENDS = ['gateway', 'gateway-express', 'intent', 'its']

/** A pair that all backends serve. */
const wrappedEther = (from: string, to: string): object =>
  requestBody(
    {
      from: tokenOn(world, from, 'gateway', from === CHAINS.a ? /^WETH$/ : /^axlWETH$/),
      to: tokenOn(world, to, 'gateway', to === CHAINS.a ? /^WETH$/ : /^axlWETH$/),
      amount: 4n * 10n ** 17n,
    },
    SENDER,
    RECIPIENT,
  )

const backendsFor = async (body: object): Promise<readonly string[]> => {
  const { body: answer } = await fetchJson<{ quotes: WireQuote[] }>(`${world.service.url}/v1/rfq/quote`, body)
  return [...new Set(answer.quotes.map(({ backend }) => backend.type))].sort()
}
const absent = (): Promise<readonly string[]> => absentParts(world.service)
const control = async (chainId: string, up: boolean): Promise<void> => {
  const { status } = await fetchJson(`${world.service.url}/sandbox/rpc`, { chainId, up })
  assert.equal(status, 200)
}
const eventsOf = (chainId: string): readonly string[] =>
  world.service
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"${chainId}"`))
    .flatMap((line) => /"event":"(chain_(?:un)?readable)"/.exec(line)?.[1] ?? [])

/** Requests from and to a chain, with the backends that quote them while it can be read. */
const requestsOver = (family: keyof FamilyEnds): readonly (readonly [object, readonly string[]])[] => {
  if (family === 'evm')
    return [
      [wrappedEther(CHAINS.a, CHAINS.b), BACKENDS],
      [wrappedEther(CHAINS.b, CHAINS.a), BACKENDS],
      [bodyBetween(ends.evm, ends.stellar), ['intent']],
      [bodyBetween(ends.solana, ends.evm), ['intent']],
    ]
  const other = family === 'solana' ? ends.stellar : ends.solana
  return [ends.evm, other].flatMap((end) => [
    [bodyBetween(ends[family], end), ['intent']] as const,
    [bodyBetween(end, ends[family]), ['intent']] as const,
  ])
}

for (const family of ['evm', 'solana', 'stellar'] as const)
  test(`no backend quotes a chain of ${family} while none of its endpoints answers`, async (context) => {
    const { chainId } = ends[family]
    const requests = requestsOver(family)
    const quoted = () =>
      Promise.all(
        requests.map(([body, backends]) =>
          eventually(
            `quotes of ${backends}`,
            async () => (await backendsFor(body)).join() === backends.join(),
          ),
        ),
      )
    await quoted()
    await eventually('/readyz names nothing', async () => (await absent()).length === 0)

    const downAt = performance.now()
    await control(chainId, false)
    await eventually(`/readyz names ${chainId}`, async () => (await absent()).includes(chainId))
    context.diagnostic(`named after ${Math.round(performance.now() - downAt)} ms`)
    for (const [body] of requests) assert.deepEqual(await backendsFor(body), [])

    const upAt = performance.now()
    await control(chainId, true)
    await eventually('/readyz names nothing', async () => (await absent()).length === 0)
    context.diagnostic(`read again after ${Math.round(performance.now() - upAt)} ms`)
    await quoted()
    context.diagnostic(`quoted again after ${Math.round(performance.now() - upAt)} ms`)
    await eventually(
      () => `the log ends with both events of ${chainId}: ${eventsOf(chainId)}`,
      () => eventsOf(chainId).slice(-2).join() === 'chain_unreadable,chain_readable',
    )
  })
