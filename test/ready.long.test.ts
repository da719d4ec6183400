import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson, fetchUndocumented, type SandboxDescription, type WireQuote } from 'openrfq/test/wallet.ts'
import { familyEnds } from './address-table.ts'
import { pairsBetween } from './judge-pairs.ts'
import { requestBody, type SandboxService, startSandboxService } from './sandbox-service.ts'

type Ready = {
  readonly status: number
  readonly body: {
    readonly status: string
    readonly missing: readonly string[]
    readonly degraded: readonly string[]
    readonly since: Readonly<Record<string, string>>
  }
}

/** Requests that are open at the same time. */
const AT_ONCE = 8

let world: SandboxService
before(async () => {
  world = await startSandboxService({ SANDBOX_FAMILIES: 'all', SANDBOX_PROCESSES: 'apart' })
})
after(() => world?.stop())

const ready = (): Promise<Ready> => fetchJson(`${world.service.url}/readyz`)
const describe = async (): Promise<SandboxDescription> =>
  (await fetchJson<SandboxDescription>(`${world.service.url}/sandbox`)).body
const control = async (path: string, body: unknown): Promise<void> =>
  assert.deepEqual(await fetchJson(`${world.service.url}/sandbox/${path}`, body), { status: 200, body: {} })

/** Waits until `/readyz` has the status and names exactly these parts. */
const says = async (status: number, absent: readonly string[]): Promise<Ready> => {
  let said: Ready | undefined
  return eventually(
    () => `/readyz answers ${status} with ${absent}: ${JSON.stringify(said)}\n${world.service.stderr()}`,
    async () => {
      said = await ready()
      const { missing, degraded } = said.body
      const named = [...missing, ...degraded].toSorted().join()
      return said.status === status && named === absent.toSorted().join() && said
    },
  )
}

type Answer = {
  readonly quotes?: readonly WireQuote[]
  readonly error?: { readonly code: string }
}

test('once the service is ready, the first request for every pair that is ever quoted is quoted or refused for its amount', async () => {
  const { url, stderr } = world.service
  assert.equal((await says(200, [])).body.status, 'ready')
  const ends = Object.values(await familyEnds(url))
  const partyOn = (chainId: string, evm: string): string =>
    ends.find((end) => end.chainId === chainId)?.account ?? evm
  const pairs = pairsBetween(world.tokens)
  assert.ok(pairs.length > 250)
  const ask = async ({ from, to }: (typeof pairs)[number]): Promise<Answer> => {
    const trade = { from, to, amount: 10n ** BigInt(from.decimals) }
    const sender = partyOn(from.chainId, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    const recipient = partyOn(to.chainId, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
    return (await fetchUndocumented<Answer>(`${url}/v1/rfq/quote`, requestBody(trade, sender, recipient)))
      .body
  }
  const isEmpty = ({ quotes }: Answer): boolean => quotes?.length === 0
  const empty: (typeof pairs)[number][] = []
  for (let start = 0; start < pairs.length; start += AT_ONCE)
    await Promise.all(
      pairs.slice(start, start + AT_ONCE).map(async (pair) => {
        if (isEmpty(await ask(pair))) empty.push(pair)
      }),
    )
  // A pair that no solver has quoted is refused once every solver has had time to.
  for (const pair of empty) {
    const name = `${pair.from.symbol} on ${pair.from.chainId} to ${pair.to.symbol} on ${pair.to.chainId}`
    const later = await eventually(`${name} is no route\n${stderr()}`, async () => {
      const answer = await ask(pair)
      return !isEmpty(answer) && answer
    })
    assert.equal(
      later.error?.code,
      'UNSUPPORTED_ROUTE',
      `${name} was answered by an empty list, and is quoted`,
    )
  }
})

type Part = {
  readonly name: string
  readonly status: number
  /** What `/readyz` names while it is stopped. */
  readonly absent: (described: SandboxDescription) => readonly string[]
  readonly stop: (described: SandboxDescription) => unknown
  readonly bringBack: (described: SandboxDescription) => unknown
}

const chainsOf = ({ chains }: SandboxDescription): readonly string[] => chains.map(({ chainId }) => chainId)
const firstSolver = ({ solvers }: SandboxDescription) => solvers[0] ?? assert.fail('there is no solver')
const setUp = async (chainIds: readonly string[], up: boolean): Promise<void> => {
  for (const chainId of chainIds) await control('rpc', { chainId, up })
}

const chainOf = (family: string): Part => {
  const own = ({ chains }: SandboxDescription): readonly string[] =>
    chains
      .filter(({ chainType }) => chainType === family)
      .map(({ chainId }) => chainId)
      .slice(0, 1)
  return {
    name: `a chain of ${family}`,
    status: 200,
    absent: own,
    stop: (described) => setUp(own(described), false),
    bringBack: (described) => setUp(own(described), true),
  }
}

const PARTS: readonly Part[] = [
  {
    name: 'a solver',
    status: 200,
    absent: (described) => [`solver ${firstSolver(described).name}`],
    stop: (described) => process.kill(firstSolver(described).processId ?? assert.fail(), 'SIGSTOP'),
    bringBack: (described) => process.kill(firstSolver(described).processId ?? assert.fail(), 'SIGCONT'),
  },
  {
    name: 'the attester',
    status: 200,
    absent: (described) => chainsOf(described).map((chainId) => `attester ${chainId}`),
    stop: () => control('attester', { paused: true }),
    bringBack: () => control('attester', { paused: false }),
  },
  ...['evm', 'solana', 'stellar'].map(chainOf),
  {
    name: 'every chain',
    status: 503,
    absent: chainsOf,
    stop: (described) => setUp(chainsOf(described), false),
    bringBack: (described) => setUp(chainsOf(described), true),
  },
]

for (const { name, status, absent, stop, bringBack } of PARTS)
  test(`while ${name} is stopped /readyz answers ${status} and names it, and names nothing when it is back`, async (t) => {
    const described = await describe()
    await says(200, [])
    await stop(described)
    const { body } = await says(status, absent(described))
    assert.deepEqual(Object.keys(body.since).toSorted(), absent(described).toSorted())
    t.diagnostic(`${status} ${JSON.stringify(body)}`)
    await bringBack(described)
    await says(200, [])
  })
